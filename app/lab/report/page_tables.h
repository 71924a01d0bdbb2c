// SPDX-License-Identifier: BSD-3-Clause
// The tables of a page as HTML.
#pragma once

#include "app/lab/report/compare.h"
#include "app/lab/report/grid.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// A paper's table in its shape: our numbers, with the paper's and the ratio below each.
std::string gridTable(const Grid& grid, const std::vector<BenchFile>& runs);

/// Figures of variants: fastest, slowest and their ratio in each row of the grid.
std::string stripTable(const Grid& grid, const std::vector<BenchFile>& runs);

/// Figures of variants: what each choice costs, from pairs that differ in that choice only.
std::string choicesTable(const Grid& grid, const std::vector<BenchFile>& runs);

/// Everything that a bench measured: a row per case, a column of times per run.
std::string measurementTable(const std::string& bench, const std::vector<BenchFile>& runs);

/// The benches, then old beside new row by row, flagged rows first.
std::string comparisonTables(const Comparison& comparison);

/// The colored dot that marks a run.
std::string runDot(std::size_t run, const std::vector<BenchFile>& runs);

}  // namespace fathom::bench
