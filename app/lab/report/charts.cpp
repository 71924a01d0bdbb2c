// SPDX-License-Identifier: BSD-3-Clause
// The papers' figures and ours, and the JSON that page.js reads.
#include "app/lab/report/charts.h"

#include "app/lab/report/choices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace fathom::bench {
namespace {

using ChartJson = nlohmann::ordered_json;

bool anyValue(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
}

std::string seriesName(const std::string& name, const BenchFile& run, std::size_t runs) {
  return runs > 1 ? fmt::format("{} ({})", name, run.name) : name;
}

/// A value of each cell in a row of the grid: the paper's, or a run's.
std::vector<double> cellValues(const Grid::Row& row,
                               const std::function<double(const Grid::Cell&)>& of) {
  std::vector<double> values;
  for (const Grid::Cell& cell : row.cells) values.push_back(of(cell));
  return values;
}

void addLines(Chart& chart, const Grid::Row& row, const std::string& name,
              const std::vector<double>& x, const std::vector<BenchFile>& runs, int color) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::vector<double> y = cellValues(row, [&](const Grid::Cell& c) { return c.ours[run]; });
    if (anyValue(y))
      chart.series.push_back({seriesName(name, runs[run], runs.size()),
                              runs.size() > 1 ? int(run) : color, false, x, y});
  }
  const std::vector<double> y = cellValues(row, [](const Grid::Cell& c) { return c.paper; });
  if (anyValue(y)) chart.series.push_back({name + ", paper", color, true, x, y});
}

bool spansDecades(const Chart& chart, bool alongX) {
  double low = INFINITY, high = 0;
  for (const ChartSeries& series : chart.series)
    for (const double v : alongX ? series.x : series.y)
      if (v > 0) low = std::min(low, v), high = std::max(high, v);
  return high > 10 * low;
}

struct VariantBar {
  std::string id;
  double ms = 0;
  int color = 0;
};

/// The part of a dotted id that colors its bar, as an index into the table's list.
int colorOf(const PaperTable& table, const std::string& id) {
  const std::vector<std::string> parts = partsOf(id);
  const std::size_t part = std::size_t(table.colorPart);
  if (part >= parts.size()) return 0;
  const auto at = std::find(table.colorValues.begin(), table.colorValues.end(), parts[part]);
  return at == table.colorValues.end() ? 0 : int(at - table.colorValues.begin());
}

Chart stripChart(const PaperTable& table, const std::string& title,
                 const std::vector<VariantBar>& bars) {
  const auto [fastest, slowest] =
      std::minmax_element(bars.begin(), bars.end(),
                          [](const VariantBar& a, const VariantBar& b) { return a.ms < b.ms; });
  Chart chart;
  chart.kind = Chart::Kind::Bars;
  chart.title = title;
  chart.yTitle = fmt::format("0: {:.3g} ms, 1: {:.3g} ms", fastest->ms, slowest->ms);
  chart.wide = true;
  chart.height = 170;
  const std::size_t part = std::size_t(table.colorPart);
  const std::string choice = part < table.parts.size() ? table.parts[part] + ": " : "";
  for (const std::string& value : table.colorValues) chart.classes.push_back(choice + value);
  chart.classes.push_back("fastest");
  ChartSeries series;
  series.name = "scaled time";
  for (const VariantBar& bar : bars) {
    chart.labels.push_back(fmt::format("{}, {:.3g} ms", bar.id, bar.ms));
    series.y.push_back(
        slowest->ms > fastest->ms ? (bar.ms - fastest->ms) / (slowest->ms - fastest->ms) : 0);
    series.colors.push_back(bar.id == fastest->id ? int(table.colorValues.size()) : bar.color);
  }
  chart.series.push_back(std::move(series));
  return chart;
}

ChartJson numbersJson(const std::vector<double>& values) {
  ChartJson list = ChartJson::array();
  for (const double v : values)
    list.push_back(std::isfinite(v) ? ChartJson(v) : ChartJson(nullptr));
  return list;
}

ChartJson chartJson(const Chart& chart) {
  ChartJson series = ChartJson::array();
  for (const ChartSeries& s : chart.series)
    series.push_back({{"name", s.name},
                      {"color", s.color},
                      {"paper", s.paper},
                      {"x", numbersJson(s.x)},
                      {"y", numbersJson(s.y)},
                      {"colors", s.colors},
                      {"run", s.run}});
  return {{"kind", chart.kind == Chart::Kind::Lines ? "lines" : "bars"},
          {"title", chart.title},
          {"xTitle", chart.xTitle},
          {"yTitle", chart.yTitle},
          {"logX", chart.logX},
          {"logY", chart.logY},
          {"labels", chart.labels},
          {"classes", chart.classes},
          {"series", std::move(series)}};
}

}  // namespace

void chooseScales(Chart& chart) {
  chart.logX = spansDecades(chart, true);
  chart.logY = spansDecades(chart, false);
}

std::vector<Chart> curveCharts(const Grid& grid, const std::vector<BenchFile>& runs) {
  std::vector<double> x;
  for (const std::string& column : grid.columns) x.push_back(numberOf(column));
  std::vector<Chart> charts;
  std::map<std::string, std::size_t> byGroup;
  for (const Grid::Row& row : grid.rows) {
    std::string name;
    const std::string group = groupOf(row.name, &name);
    if (!byGroup.count(group)) {
      byGroup[group] = charts.size();
      Chart chart;
      chart.title = group.empty() ? grid.table->title : group;
      chart.xTitle = grid.table->columnsAre, chart.yTitle = grid.table->unit;
      charts.push_back(std::move(chart));
    }
    Chart& chart = charts[byGroup[group]];
    addLines(chart, row, name, x, runs, int(chart.series.size()));
  }
  std::erase_if(charts, [](const Chart& chart) { return chart.series.empty(); });
  for (Chart& chart : charts) chooseScales(chart);
  return charts;
}

std::vector<Chart> stripCharts(const Grid& grid, const std::vector<BenchFile>& runs) {
  std::vector<Chart> charts;
  for (const Grid::Row& row : grid.rows)
    for (std::size_t run = 0; run < runs.size(); ++run) {
      std::vector<VariantBar> bars;
      for (std::size_t i = 0; i < grid.columns.size(); ++i)
        if (const double ms = row.cells[i].ours[run]; !std::isnan(ms))
          bars.push_back({grid.columns[i], ms, colorOf(*grid.table, grid.columns[i])});
      if (bars.empty()) continue;
      const std::string name = runs.size() > 1 ? row.name + ", " + runs[run].name : row.name;
      charts.push_back(stripChart(
          *grid.table, fmt::format("{}: {} variants in their order", name, bars.size()), bars));
      std::stable_sort(bars.begin(), bars.end(),
                       [](const VariantBar& a, const VariantBar& b) { return a.ms < b.ms; });
      charts.push_back(
          stripChart(*grid.table, fmt::format("{}: from fastest to slowest", name), bars));
    }
  return charts;
}

std::vector<Chart> relativeCharts(const Grid& grid, const std::vector<BenchFile>& runs) {
  std::vector<Chart> charts;
  if (grid.table->unit != "ms" || grid.columns.size() < 4 || grid.columns.size() > 10)
    return charts;
  for (const Grid::Row& row : grid.rows) {
    Chart chart;
    chart.kind = Chart::Kind::Bars;
    chart.title = fmt::format("{}: times the fastest of the row", row.name);
    chart.labels = grid.columns;
    const auto add = [&](const std::string& name, int color, bool paper, std::vector<double> y) {
      double fastest = INFINITY;
      for (const double v : y) fastest = v > 0 ? std::min(fastest, v) : fastest;
      if (!std::isfinite(fastest)) return;
      for (double& v : y) v /= fastest;
      chart.series.push_back({name, color, paper, {}, std::move(y)});
    };
    for (std::size_t run = 0; run < runs.size(); ++run)
      add(runs[run].name, int(run), false,
          cellValues(row, [&](const Grid::Cell& cell) { return cell.ours[run]; }));
    if (chart.series.empty()) continue;
    add("paper", 0, true, cellValues(row, [](const Grid::Cell& cell) { return cell.paper; }));
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> bandwidthCharts(const std::vector<std::string>& benches,
                                   const std::vector<BenchFile>& runs) {
  Chart chart;
  chart.kind = Chart::Kind::Bars;
  chart.title = "Percent of the device's copy bandwidth, best case of each bench";
  chart.yTitle = '%';
  chart.wide = true;
  std::vector<std::vector<double>> best(runs.size());
  for (const std::string& bench : benches) {
    std::vector<double> values(runs.size(), kNotPrinted);
    for (std::size_t run = 0; run < runs.size(); ++run)
      for (const BenchRow& row : runs[run].rows)
        if (row.bench == bench && row.ofCopyBandwidth > 0)
          values[run] = std::fmax(values[run], 100 * row.ofCopyBandwidth);
    if (!anyValue(values)) continue;
    chart.labels.push_back(bench);
    for (std::size_t run = 0; run < runs.size(); ++run) best[run].push_back(values[run]);
  }
  if (chart.labels.empty()) return {};
  for (std::size_t run = 0; run < runs.size(); ++run)
    chart.series.push_back({runs[run].name, int(run), false, {}, best[run]});
  return {chart};
}

std::string chartsJson(const std::vector<Chart>& charts) {
  ChartJson list = ChartJson::array();
  for (const Chart& chart : charts) list.push_back(chartJson(chart));
  const std::string text = list.dump(-1, ' ', false, ChartJson::error_handler_t::replace);
  std::string safe;
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", int(c));
    else
      safe += c;
  }
  return safe;
}

}  // namespace fathom::bench
