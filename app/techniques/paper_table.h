// SPDX-License-Identifier: BSD-3-Clause
// The tables and figures of the papers as data: what they print, in their rows and columns. Cases
// of benches name the cell that they stand beside, so that each number of a paper is written once.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace fathom {

/// A number that the paper does not print.
inline constexpr double kNotPrinted = std::numeric_limits<double>::quiet_NaN();

struct PaperTable {
  enum class Shape {
    Grid,    // a table
    Curves,  // a figure: a line per row over the columns, which are numbers
    Strip    // a figure: a bar per variant, fastest to slowest and in the order of the space
  };
  struct Row {
    std::string name;
    std::vector<double> values;  // as many as there are columns, or none
  };

  std::string name;   // "Archer 2018, table 1": unique among all
  std::string title;  // "Compositing during the merge"
  /// Of its cells: "ms", "s", "us", "MiB", "%", "M keys/s", "frames/s"; empty: each column its own.
  std::string unit;
  std::string device;  // "GeForce GTX 1060"
  std::string rowsAre, columnsAre;
  /// "Station: transfer, 2 ranks": what stands before a colon is a heading over several columns,
  /// and the same for rows; figures draw a chart for each such group of rows.
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string note;
  std::string yardstick = {};  // the row whose numbers stand beside rows of ours; empty: none
  Shape shape = Shape::Grid;
  /// Of strips: what the parts of a variant's dotted id are called, which of them colors its bar,
  /// and the values of that part.
  std::vector<std::string> parts = {};
  int colorPart = 0;
  std::vector<std::string> colorValues = {};

  /// What the paper prints there; kNotPrinted for nothing or for a row or column of ours.
  double at(const std::string& row, const std::string& column) const {
    for (const Row& r : rows)
      for (std::size_t i = 0; r.name == row && i < r.values.size(); ++i)
        if (columns[i] == column) return r.values[i];
    return kNotPrinted;
  }
};

/// Where a case belongs in a paper's table. A row or column that the paper does not have is ours,
/// and stands below or behind the others.
struct PaperCell {
  std::string table, row, column;
  /// Which of the values that the check found it shows (CheckResult::values); empty: what the table's
  /// unit says: the time, the bytes, or work per time.
  std::string value;
};

}  // namespace fathom
