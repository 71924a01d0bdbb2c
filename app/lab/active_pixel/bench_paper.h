// SPDX-License-Identifier: BSD-3-Clause
// What the tables of Lipinski et al. print, and where our cases stand in them.
#pragma once

#include "app/engine/active_pixel/settings.h"
#include "app/lab/paper_table.h"

#include <string>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom::active_pixel {

enum class PaperWorkload { Station, Neurons, Points };
inline constexpr glm::ivec2 kPaperSizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};

PaperTable table1();
PaperTable table2();
PaperTable figure4();

enum class Step { Transfer, Compression };
/// The cell of table 1; sizes other than the paper's are rows of ours. `manyRanks`: the paper's
/// largest job, else its smallest.
PaperCell timeCell(PaperWorkload workload, glm::ivec2 size, Mode mode, Step step, bool manyRanks);
/// A cell of table 2: "ROI" or "AP", "least" or "most", as the value "% of raw" of the check.
PaperCell shareCell(PaperWorkload workload, bool manyRanks, const std::string& what,
                    const std::string& extreme);
inline constexpr const char* kShareValue = "% of raw";
/// A point of figure 4: frames per second of a mode by number of parts.
PaperCell frameCell(PaperWorkload workload, glm::ivec2 size, Mode mode, int parts);

}  // namespace fathom::active_pixel
