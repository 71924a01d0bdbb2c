// SPDX-License-Identifier: BSD-3-Clause
// The tables and figures of the papers, which papers.json holds with the rows and columns that they
// print. Cases of benches name the cell that they correspond to, so that each number of a paper is
// written once.
#pragma once

namespace fathom {

/// A number that the paper does not print.
inline constexpr double kNotPrinted = std::numeric_limits<double>::quiet_NaN();

/// What a bench needs of a table; a report's page takes the rest from papers.json too.
struct PaperTable {
  struct Row {
    std::string name;
    std::vector<double> values;  // as many as there are columns
  };

  std::string name;  // "Archer 2018, table 1": unique among all
  /// Of its cells: "ms", "s", "us", "MiB", "%", "M keys/s", "frames/s"; empty: each column its own.
  std::string unit;
  /// "Station: transfer, 2 ranks": the text before a colon is a heading over several columns, and
  /// likewise for rows; figures draw a chart for each such group of rows.
  std::vector<std::string> columns;
  std::vector<Row> rows;

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
