// SPDX-License-Identifier: BSD-3-Clause
// Tables of the page as HTML.
#pragma once

#include "app/bench/report_compare.h"
#include "app/bench/report_grid.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// A paper's table in its shape: our numbers, with the paper's and the ratio below each.
std::string gridTable(const Grid& grid, const std::vector<RunFile>& runs);

/// Figures of variants: the fastest, the slowest and the span of each row of the grid.
std::string stripTable(const Grid& grid, const std::vector<RunFile>& runs);

/// Figures of variants: what each choice costs, from pairs that differ in it alone.
std::string choicesTable(const Grid& grid, const std::vector<RunFile>& runs);

/// All that was measured by a bench: a row per case, a column of times per run.
std::string measurementTable(const std::string& bench, const std::vector<RunFile>& runs);

/// Old beside new, flagged rows first; and the benches together.
std::string comparisonTables(const Comparison& comparison);

/// A colored dot that stands for a run.
std::string runDot(std::size_t run, const std::vector<RunFile>& runs);

}  // namespace fathom::bench
