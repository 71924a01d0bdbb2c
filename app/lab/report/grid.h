// SPDX-License-Identifier: BSD-3-Clause
// A paper's table filled with the numbers of bench files, beside those that the paper prints.
#pragma once

#include "app/lab/bench_file.h"
#include "app/lab/paper_table.h"

#include <string>
#include <vector>

namespace fathom::bench {

struct Grid {
  struct Cell {
    double paper = kNotPrinted;
    std::vector<double> ours;  // by run; NaN: not measured
    bool measured() const;
  };
  struct Row {
    std::string name;
    bool printed = true;  // false: a row of ours
    std::vector<Cell> cells;
  };
  const PaperTable* table = nullptr;
  std::vector<std::string> columns;  // the paper's, then ours
  std::vector<Row> rows;             // likewise

  std::size_t printedCells() const;   // cells with a number of the paper
  std::size_t measuredCells() const;  // those of them that a run has measured
  bool anyMeasured() const;
};

/// Puts the cells of all runs into the table; of several cases in one cell the first counts.
/// Throws Error when files add too many rows and columns.
Grid fillGrid(const PaperTable& table, const std::vector<BenchFile>& runs);

/// The value of a text that is a number as a whole; NaN for others.
double numberOf(const std::string& text);

/// "Station" of "Station: transfer"; empty without a colon. The rest is in `rest`.
std::string groupOf(const std::string& name, std::string* rest = nullptr);

}  // namespace fathom::bench
