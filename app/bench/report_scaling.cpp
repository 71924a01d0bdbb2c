// SPDX-License-Identifier: BSD-3-Clause
// Time against what a bench goes through: a setting, the size, the amount of work.
#include "app/bench/report_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace fathom::bench {
namespace {

/// One axis that a bench goes through: how to read it from a trial, NaN for none.
struct Axis {
  std::string title;
  std::function<double(const RunTrial&)> value;
  /// What must be equal of trials on one line.
  std::function<std::string(const RunTrial&)> line;
};

Axis settingAxis(const std::string& name) {
  return {name,
          [name](const RunTrial& trial) {
            for (const auto& [key, text] : trial.settings)
              if (key == name) return numberOf(text);
            return kNotPrinted;
          },
          [name](const RunTrial& trial) {
            std::string line = trial.workload + trial.sizeText();
            for (const auto& [key, text] : trial.settings)
              if (key != name) line += key + "=" + text + " ";
            return line;
          }};
}

Axis sizeAxis() {
  return {"pixels",
          [](const RunTrial& t) { return t.width > 0 ? double(t.width) * t.height : kNotPrinted; },
          [](const RunTrial& t) { return t.label + t.settingsText(); }};
}

Axis workAxis(const std::string& unit) {
  return {unit, [](const RunTrial& t) { return t.work > 0 ? t.work : kNotPrinted; },
          [](const RunTrial& t) { return t.label + t.settingsText() + t.sizeText(); }};
}

/// What tells a line from the others: those settings whose values differ among the trials.
std::string lineName(const std::map<double, const RunTrial*>& line,
                     const std::set<std::string>& varying, const std::string& axis) {
  const RunTrial& trial = *line.begin()->second;
  const auto all = [&](const std::string RunTrial::*member) {
    return std::all_of(line.begin(), line.end(),
                       [&](const auto& point) { return point.second->*member == trial.*member; });
  };
  std::string name;
  for (const auto& [key, text] : trial.settings)
    if (key != axis && varying.count(key))
      name += fmt::format("{}{} {}", name.empty() ? "" : ", ", key, text);
  if ((axis == "pixels" || name.empty()) && all(&RunTrial::label))
    name = trial.label + (name.empty() ? "" : ", " + name);
  if (!trial.workload.empty() && all(&RunTrial::workload))
    name = name.empty() ? trial.workload : fmt::format("{}: {}", trial.workload, name);
  return name.empty() ? "time" : name;
}

std::set<std::string> varyingSettings(const std::vector<const RunTrial*>& trials) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunTrial* trial : trials)
    for (const auto& [key, text] : trial->settings) values[key].insert(text);
  std::set<std::string> varying;
  for (const auto& [key, texts] : values)
    if (texts.size() > 1) varying.insert(key);
  return varying;
}

constexpr std::size_t kMaxLines = 16;  // more than a chart can show

/// Lines of one run along an axis, by what must be equal on them.
struct AxisLines {
  std::vector<std::string> order;
  std::map<std::string, std::map<double, const RunTrial*>> lines;
};

AxisLines linesAlong(const Axis& axis, const std::vector<const RunTrial*>& trials) {
  AxisLines found;
  std::set<std::string> ambiguous;  // several trials at one place: something else differs too
  for (const RunTrial* trial : trials) {
    const double x = axis.value(*trial);
    if (std::isnan(x)) continue;
    const std::string line = axis.line(*trial);
    if (!found.lines.count(line)) found.order.push_back(line);
    if (!found.lines[line].emplace(x, trial).second) ambiguous.insert(line);
  }
  std::erase_if(found.order, [&](const std::string& line) {
    return ambiguous.count(line) || found.lines[line].size() < 2;
  });
  return found;
}

void addRun(Chart& chart, std::vector<std::string>& names, const std::string& bench,
            const Axis& axis, const RunFile& run, int runIndex) {
  std::vector<const RunTrial*> trials;
  for (const RunTrial& trial : run.trials)
    if (trial.bench == bench && trial.time().n > 0) trials.push_back(&trial);
  const std::set<std::string> varying = varyingSettings(trials);
  AxisLines found = linesAlong(axis, trials);
  for (const std::string& line : found.order) {
    const std::string name = lineName(found.lines[line], varying, axis.title);
    const auto at = std::find(names.begin(), names.end(), name);
    const auto color = std::size_t(at - names.begin());
    if (at == names.end()) names.push_back(name);
    if (color >= kMaxLines) continue;
    ChartSeries series{name, int(color), false, {}, {}};
    series.run = runIndex;
    for (const auto& [x, trial] : found.lines[line])
      series.x.push_back(x), series.y.push_back(trial->time().median);
    chart.series.push_back(std::move(series));
  }
}

Chart scalingChart(const std::string& bench, const Axis& axis, const std::vector<RunFile>& runs) {
  static const char* const strokes[] = {"solid", "dashed", "dotted", "dash-dotted"};
  Chart chart;
  chart.title = fmt::format("{}: time against {}", bench, axis.title);
  chart.xTitle = axis.title, chart.yTitle = "ms";
  std::vector<std::string> names;
  for (std::size_t run = 0; run < runs.size(); ++run)
    addRun(chart, names, bench, axis, runs[run], int(run));
  if (names.size() > kMaxLines)
    chart.title += fmt::format(", the first {} of {} lines", kMaxLines, names.size());
  for (std::size_t run = 0; run < runs.size() && runs.size() > 1; ++run)
    chart.title += fmt::format("; {}: {}", strokes[run % 4], runs[run].name);
  chart.height = 260 + 11 * int(std::min(names.size(), kMaxLines));
  chooseScales(chart);
  return chart;
}

}  // namespace

std::vector<Chart> scalingCharts(const std::string& bench, const std::vector<RunFile>& runs) {
  std::vector<std::string> settings;
  std::string unit;
  for (const RunFile& run : runs)
    for (const RunTrial& trial : run.trials) {
      if (trial.bench != bench) continue;
      unit = trial.unit;
      for (const auto& [name, text] : trial.settings)
        if (std::find(settings.begin(), settings.end(), name) == settings.end())
          settings.push_back(name);
    }
  std::vector<Chart> charts;
  const auto add = [&](const Axis& axis) {
    Chart chart = scalingChart(bench, axis, runs);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  };
  for (const std::string& name : settings) add(settingAxis(name));
  if (charts.empty()) add(sizeAxis());
  if (charts.empty()) add(workAxis(unit));
  return charts;
}

}  // namespace fathom::bench
