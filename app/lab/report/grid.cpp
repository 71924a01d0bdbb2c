// SPDX-License-Identifier: BSD-3-Clause
// Rows and columns in the paper's order, then ours; cells looked up by name.
#include "app/lab/report/grid.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace fathom::bench {
namespace {

constexpr std::size_t kMaxCells = std::size_t(1) << 22;  // of a table, over all runs

/// Names in the order of their first appearance.
class NameOrder {
 public:
  explicit NameOrder(const std::vector<std::string>& first) {
    for (const std::string& name : first) add(name);
  }
  void add(const std::string& name) {
    if (index_.emplace(name, order_.size()).second) order_.push_back(name);
  }
  const std::vector<std::string>& order() const { return order_; }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::size_t> index_;
};

std::map<std::string, std::size_t> indexOf(const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);
  return index;
}

/// Columns of figures are numbers: in ascending order, whether the paper's or ours.
void sortColumns(std::vector<std::string>& columns) {
  const auto isNumber = [](const std::string& text) { return !std::isnan(numberOf(text)); };
  if (!std::all_of(columns.begin(), columns.end(), isNumber)) return;
  std::stable_sort(columns.begin(), columns.end(), [](const std::string& a, const std::string& b) {
    return numberOf(a) < numberOf(b);
  });
}

template <class Body>
void forCells(const PaperTable& table, const std::vector<BenchFile>& runs, const Body& body) {
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const BenchRow& row : runs[run].rows)
      for (const PaperNumber& number : row.paper)
        if (number.table == table.name) body(run, number);
}

}  // namespace

double numberOf(const std::string& text) {
  double value = kNotPrinted;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ptr == end && !text.empty() ? value : kNotPrinted;
}

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

Grid fillGrid(const PaperTable& table, const std::vector<BenchFile>& runs) {
  Grid grid;
  grid.table = &table;
  std::vector<std::string> printed;
  for (const PaperTable::Row& row : table.rows) printed.push_back(row.name);
  NameOrder columns(table.columns), rows(printed);
  forCells(table, runs, [&](std::size_t, const PaperNumber& number) {
    columns.add(number.column);
    rows.add(number.row);
  });
  grid.columns = columns.order();
  sortColumns(grid.columns);
  const std::vector<std::string>& names = rows.order();
  if (names.size() * grid.columns.size() * runs.size() > kMaxCells)
    fail("{}: expected at most {} cells in these files, found {} rows and {} columns", table.name,
         kMaxCells, names.size(), grid.columns.size());
  for (std::size_t r = 0; r < names.size(); ++r) {
    Grid::Row row{names[r], r < table.rows.size(), {}};
    const std::string& beside = row.printed ? names[r] : table.yardstick;
    for (const std::string& column : grid.columns)
      row.cells.push_back(
          {table.at(beside, column), std::vector<double>(runs.size(), kNotPrinted)});
    grid.rows.push_back(std::move(row));
  }
  const auto rowIndex = indexOf(names), columnIndex = indexOf(grid.columns);
  forCells(table, runs, [&](std::size_t run, const PaperNumber& number) {
    double& ours =
        grid.rows[rowIndex.at(number.row)].cells[columnIndex.at(number.column)].ours[run];
    if (std::isnan(ours)) ours = number.ours;
  });
  return grid;
}

std::string groupOf(const std::string& name, std::string* rest) {
  const std::size_t colon = name.find(": ");
  if (rest) *rest = colon == std::string::npos ? name : name.substr(colon + 2);
  return colon == std::string::npos ? "" : name.substr(0, colon);
}

}  // namespace fathom::bench
