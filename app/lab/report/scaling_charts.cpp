// SPDX-License-Identifier: BSD-3-Clause
// Time over what a bench sweeps: a setting, the size, or the amount of work. Rows that differ in
// nothing else form a line.
#include "app/lab/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace fathom::bench {
namespace {

/// What a bench sweeps, and how to read it from a row; NaN for rows without it.
struct SweptAxis {
  std::string title;
  std::function<double(const BenchRow&)> value;
  /// Equal for rows on one line.
  std::function<std::string(const BenchRow&)> line;
};

SweptAxis settingAxis(const std::string& name) {
  return {name,
          [name](const BenchRow& row) {
            for (const FieldValue& setting : row.settings)
              if (setting.name == name) return numberOf(setting.text);
            return kNotPrinted;
          },
          [name](const BenchRow& row) {
            std::string line = row.workload + row.sizeText();
            for (const FieldValue& setting : row.settings)
              if (setting.name != name) line += setting.name + "=" + setting.text + " ";
            return line;
          }};
}

SweptAxis sizeAxis() {
  return {
      "pixels",
      [](const BenchRow& r) { return r.size.x > 0 ? double(r.size.x) * r.size.y : kNotPrinted; },
      [](const BenchRow& r) { return r.label + r.settingsText(); }};
}

SweptAxis workAxis(const std::string& unit) {
  return {unit, [](const BenchRow& r) { return r.work > 0 ? r.work : kNotPrinted; },
          [](const BenchRow& r) { return r.label + r.settingsText() + r.sizeText(); }};
}

/// What distinguishes a line from the others: the settings whose values differ among the rows.
std::string lineName(const std::map<double, const BenchRow*>& line,
                     const std::set<std::string>& varying, const std::string& axis) {
  const BenchRow& row = *line.begin()->second;
  const auto all = [&](const std::string BenchRow::*member) {
    return std::all_of(line.begin(), line.end(),
                       [&](const auto& point) { return point.second->*member == row.*member; });
  };
  std::string name;
  for (const FieldValue& setting : row.settings)
    if (setting.name != axis && varying.count(setting.name))
      name += fmt::format("{}{} {}", name.empty() ? "" : ", ", setting.name, setting.text);
  if ((axis == "pixels" || name.empty()) && all(&BenchRow::label))
    name = row.label + (name.empty() ? "" : ", " + name);
  if (!row.workload.empty() && all(&BenchRow::workload))
    name = name.empty() ? row.workload : fmt::format("{}: {}", row.workload, name);
  return name.empty() ? "time" : name;
}

std::set<std::string> varyingSettings(const std::vector<const BenchRow*>& rows) {
  std::map<std::string, std::set<std::string>> values;
  for (const BenchRow* row : rows)
    for (const FieldValue& setting : row->settings) values[setting.name].insert(setting.text);
  std::set<std::string> varying;
  for (const auto& [key, texts] : values)
    if (texts.size() > 1) varying.insert(key);
  return varying;
}

constexpr std::size_t kMaxLines = 16;  // a chart with more is unreadable

/// Lines of one run along an axis, by what must be equal on them.
struct AxisLines {
  std::vector<std::string> order;
  std::map<std::string, std::map<double, const BenchRow*>> lines;
};

AxisLines linesAlong(const SweptAxis& axis, const std::vector<const BenchRow*>& rows) {
  AxisLines found;
  std::set<std::string> ambiguous;  // several rows at one place: they differ in something else too
  for (const BenchRow* row : rows) {
    const double x = axis.value(*row);
    if (std::isnan(x)) continue;
    const std::string line = axis.line(*row);
    if (!found.lines.count(line)) found.order.push_back(line);
    if (!found.lines[line].emplace(x, row).second) ambiguous.insert(line);
  }
  std::erase_if(found.order, [&](const std::string& line) {
    return ambiguous.count(line) || found.lines[line].size() < 2;
  });
  return found;
}

void addRunLines(Chart& chart, std::vector<std::string>& names, const std::string& bench,
                 const SweptAxis& axis, const BenchFile& run, int runIndex) {
  std::vector<const BenchRow*> rows;
  for (const BenchRow& row : run.rows)
    if (row.bench == bench && row.time().n > 0) rows.push_back(&row);
  const std::set<std::string> varying = varyingSettings(rows);
  AxisLines found = linesAlong(axis, rows);
  for (const std::string& line : found.order) {
    const std::string name = lineName(found.lines[line], varying, axis.title);
    const auto at = std::find(names.begin(), names.end(), name);
    const auto color = std::size_t(at - names.begin());
    if (at == names.end()) names.push_back(name);
    if (color >= kMaxLines) continue;
    ChartSeries series{name, int(color), false, {}, {}};
    series.run = runIndex;
    for (const auto& [x, row] : found.lines[line])
      series.x.push_back(x), series.y.push_back(row->time().median);
    chart.series.push_back(std::move(series));
  }
}

Chart scalingChart(const std::string& bench, const SweptAxis& axis,
                   const std::vector<BenchFile>& runs) {
  static const char* const strokes[] = {"solid", "dashed", "dotted", "dash-dotted"};
  Chart chart;
  chart.title = fmt::format("{}: time against {}", bench, axis.title);
  chart.xTitle = axis.title, chart.yTitle = "ms";
  std::vector<std::string> names;
  for (std::size_t run = 0; run < runs.size(); ++run)
    addRunLines(chart, names, bench, axis, runs[run], int(run));
  if (names.size() > kMaxLines)
    chart.title += fmt::format(", the first {} of {} lines", kMaxLines, names.size());
  for (std::size_t run = 0; run < runs.size() && runs.size() > 1; ++run)
    chart.title += fmt::format("; {}: {}", strokes[run % 4], runs[run].name);
  chart.height = 260 + 11 * int(std::min(names.size(), kMaxLines));
  chooseScales(chart);
  return chart;
}

}  // namespace

std::vector<Chart> scalingCharts(const std::string& bench, const std::vector<BenchFile>& runs) {
  std::vector<std::string> settings;
  std::string unit;
  for (const BenchFile& run : runs)
    for (const BenchRow& row : run.rows) {
      if (row.bench != bench) continue;
      unit = row.unit;
      for (const FieldValue& setting : row.settings)
        if (std::find(settings.begin(), settings.end(), setting.name) == settings.end())
          settings.push_back(setting.name);
    }
  std::vector<Chart> charts;
  const auto add = [&](const SweptAxis& axis) {
    Chart chart = scalingChart(bench, axis, runs);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  };
  for (const std::string& name : settings) add(settingAxis(name));
  if (charts.empty()) add(sizeAxis());
  if (charts.empty()) add(workAxis(unit));
  return charts;
}

}  // namespace fathom::bench
