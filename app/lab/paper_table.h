// SPDX-License-Identifier: BSD-3-Clause
// The tables and figures of the papers as data, with the rows and columns that they print. Cases of
// benches name the cell that they correspond to, so that each number of a paper is written once.
#pragma once

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
  /// "Station: transfer, 2 ranks": the text before a colon is a heading over several columns, and
  /// likewise for rows; figures draw a chart for each such group of rows.
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string note;
  std::string yardstick = {};  // the row to which rows of ours are compared; empty: none
  Shape shape = Shape::Grid;
  /// For strips: the names of the parts of a variant's dotted id, which part determines the color
  /// of its bar, and the values of that part.
  std::vector<std::string> parts = {};
  int colorPart = 0;
  std::vector<std::string> colorValues = {};

  /// What the paper prints there; kNotPrinted for an empty cell and for rows and columns of ours.
  double at(const std::string& row, const std::string& column) const {
    for (const Row& r : rows)
      for (std::size_t i = 0; r.name == row && i < r.values.size(); ++i)
        if (columns[i] == column) return r.values[i];
    return kNotPrinted;
  }
};

/// Where a case belongs in a paper's table. A row or column that the paper lacks is ours and comes
/// after the others.
struct PaperCell {
  std::string table, row, column;
  /// The name of the value of the check that it shows (CheckResult::values); empty: the time, the
  /// bytes or the rate, as the unit of the table says.
  std::string value;
};

}  // namespace fathom
