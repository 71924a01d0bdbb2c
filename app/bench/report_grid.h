// SPDX-License-Identifier: BSD-3-Clause
// A paper's table with the numbers of bench files beside the printed ones.
#pragma once

#include "app/bench/report_file.h"
#include "app/techniques/paper_table.h"

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
  std::vector<Row> rows;             // the same

  std::size_t printedCells() const;   // cells with a number of the paper
  std::size_t measuredCells() const;  // those of them that a run has measured
  bool anyMeasured() const;
};

/// Puts the cells of all runs into the table. Of several cases in one cell the first counts.
/// Throws Error when files bring rows and columns without end.
Grid fillGrid(const PaperTable& table, const std::vector<RunFile>& runs);

/// The number that a text is as a whole; NaN for others.
double numberOf(const std::string& text);

/// "Station" of "Station: transfer"; empty without a colon. The rest is in `rest`.
std::string groupOf(const std::string& name, std::string* rest = nullptr);

}  // namespace fathom::bench
