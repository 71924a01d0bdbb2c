// SPDX-License-Identifier: BSD-3-Clause
// The benches of active pixels: the paper's workloads and sizes, views of a turn, the check against
// the reference, and the paper's tables with the cells that cases belong to.
#pragma once

#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/engine/active_pixel/settings.h"
#include "app/lab/paper_table.h"
#include "app/lab/workload.h"

namespace fathom::active_pixel {

const std::vector<Bench>& benches();

// Cells of the paper's tables
// -------------------------------------------------------------------------------------------------

enum class PaperWorkload { Station, Neurons, Points };
inline constexpr glm::ivec2 kPaperSizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};

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

// What the benches share
// -------------------------------------------------------------------------------------------------

/// Settings of the benches themselves, for --set and --sweep.
struct BenchSettings {
  std::string folder;  // a folder of scene files in place of the paper's neurons; empty: none
  Method method = Method::Fused;
};
void describe(BenchSettings& settings, FieldVisitor& field);

struct BenchWorkload {
  PaperWorkload paper;
  std::string name;
  std::shared_ptr<const ShareSource> source;
  int fewRanks, manyRanks;  // the paper's smallest and largest job
};
/// Opens station and points, at the scale's count, and the folder if there is one.
std::vector<BenchWorkload> workloadsOf(BenchRun& run, const std::string& folder);

/// HD at the normal scale; HD, 4K and 8K at the paper's; --size alone when it is given.
std::vector<glm::ivec2> sizesOf(const BenchRun& run);

/// The model's first view with its bounds in the middle, filling the picture, turned by
/// `frame` steps of 2 degrees.
Camera viewOf(const Whole& whole, glm::ivec2 size, int frame);

/// Whether this sparse image is byte for byte what the reference makes of what was drawn.
CheckResult sameAsReference(const ShareRenderer::Drawn& drawn, const Format& format,
                            glm::ivec2 size, std::span<const std::uint32_t> words);

void runEncode(BenchRun& run);  // bench_encode.cpp
void runRatio(BenchRun& run);   // bench_turn.cpp
void runFrames(BenchRun& run);  // bench_turn.cpp

}  // namespace fathom::active_pixel
