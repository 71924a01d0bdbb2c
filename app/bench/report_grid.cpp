// SPDX-License-Identifier: BSD-3-Clause
// Fills the papers' tables.
#include "app/bench/report_grid.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fathom::bench {
namespace {

bool isNumber(const std::string& text) {
  double value = 0;
  const auto end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, value).ptr == end;
}

std::size_t indexOf(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return std::size_t(at - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// Columns of figures are numbers: in ascending order, whoever brought them.
void sortColumns(std::vector<std::string>& columns) {
  if (!std::all_of(columns.begin(), columns.end(), isNumber)) return;
  std::stable_sort(columns.begin(), columns.end(), [](const std::string& a, const std::string& b) {
    return std::stod(a) < std::stod(b);
  });
}

template <class Body>
void forCells(const PaperTable& table, const std::vector<RunFile>& runs, const Body& body) {
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const RunTrial& trial : runs[run].trials)
      for (const RunTrial::Placed& placed : trial.paper)
        if (placed.table == table.name) body(run, placed);
}

}  // namespace

bool Grid::Cell::measured() const {
  return std::any_of(ours.begin(), ours.end(), [](double v) { return !std::isnan(v); });
}

std::size_t Grid::printedCells() const {
  std::size_t count = 0;
  for (const Row& row : rows)
    for (const Cell& cell : row.cells) count += row.printed && !std::isnan(cell.paper);
  return count;
}

std::size_t Grid::measuredCells() const {
  std::size_t count = 0;
  for (const Row& row : rows)
    for (const Cell& cell : row.cells)
      count += row.printed && !std::isnan(cell.paper) && cell.measured();
  return count;
}

bool Grid::anyMeasured() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [](const Cell& cell) { return cell.measured(); });
  });
}

Grid fillGrid(const PaperTable& table, const std::vector<RunFile>& runs) {
  Grid grid;
  grid.table = &table;
  grid.columns = table.columns;
  std::vector<std::string> names;
  for (const PaperTable::Row& row : table.rows) names.push_back(row.name);
  forCells(table, runs, [&](std::size_t, const RunTrial::Placed& placed) {
    indexOf(grid.columns, placed.column);
    indexOf(names, placed.row);
  });
  sortColumns(grid.columns);
  for (std::size_t r = 0; r < names.size(); ++r) {
    Grid::Row row{names[r], r < table.rows.size(), {}};
    const std::string& beside = row.printed ? names[r] : table.yardstick;
    for (const std::string& column : grid.columns)
      row.cells.push_back(
          {table.at(beside, column), std::vector<double>(runs.size(), kNotPrinted)});
    grid.rows.push_back(std::move(row));
  }
  forCells(table, runs, [&](std::size_t run, const RunTrial::Placed& placed) {
    double& ours =
        grid.rows[indexOf(names, placed.row)].cells[indexOf(grid.columns, placed.column)].ours[run];
    if (std::isnan(ours)) ours = placed.ours;
  });
  return grid;
}

std::string groupOf(const std::string& name, std::string* rest) {
  const std::size_t colon = name.find(": ");
  if (rest) *rest = colon == std::string::npos ? name : name.substr(colon + 2);
  return colon == std::string::npos ? "" : name.substr(0, colon);
}

}  // namespace fathom::bench
