// SPDX-License-Identifier: BSD-3-Clause
// Tables of the page. Headings are buttons: page.js sorts by the data-v of cells.
#include "app/bench/report_tables.h"

#include "app/bench/report_choices.h"
#include "app/bench/report_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fathom::bench {
namespace {

std::string heading(const std::string& text, const char* classes = "") {
  return fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                     *classes ? fmt::format(" class=\"{}\"", classes) : "", escaped(text));
}

std::string number(double value, const std::string& text, const std::string& classes = "") {
  return fmt::format("<td class=\"n{}\" data-v=\"{}\">{}</td>",
                     classes.empty() ? "" : " " + classes, exactNumber(value), text);
}

std::string text(const std::string& value) { return "<td>" + escaped(value) + "</td>"; }

std::string wrapped(const std::string& caption, const std::string& head, const std::string& body) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\"><caption>{}</caption>\n"
      "<thead>{}</thead>\n<tbody>\n{}</tbody></table></div>\n",
      escaped(caption), head, body);
}

/// Under ours: the ratio, and below the last of the runs the paper's number.
std::string ratioLine(double paper, double ours) {
  return std::isnan(paper) || paper == 0
             ? ""
             : fmt::format("<span class=\"ratio\">{} \xC3\x97</span>", shortNumber(ours / paper));
}

std::string paperLine(double paper) {
  return std::isnan(paper)
             ? ""
             : fmt::format("<span class=\"paper\">paper {}</span>", printedNumber(paper));
}

std::string gridCell(const Grid::Cell& cell, const std::vector<RunFile>& runs) {
  double key = cell.paper;
  for (std::size_t run = runs.size(); run-- > 0;)
    if (!std::isnan(cell.ours[run])) key = cell.ours[run];
  std::string inside;
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (const double ours = cell.ours[run]; !std::isnan(ours))
      inside += fmt::format("<span class=\"ours\">{}{}</span>{}",
                            runs.size() > 1 ? runDot(run, runs) : "", shortNumber(ours),
                            ratioLine(cell.paper, ours));
  if (inside.empty()) inside = "<span class=\"none\" title=\"not measured\">\xE2\x80\x93</span>";
  return number(key, inside + paperLine(cell.paper));
}

/// Two rows of headings where columns come in groups.
std::string gridHead(const Grid& grid) {
  const std::string corner = grid.table->rowsAre;
  std::vector<std::pair<std::string, int>> groups;
  std::string below;
  bool any = false;
  for (const std::string& column : grid.columns) {
    std::string rest;
    const std::string group = groupOf(column, &rest);
    any = any || !group.empty();
    if (groups.empty() || groups.back().first != group) groups.emplace_back(group, 0);
    ++groups.back().second;
    below += heading(rest, "n");
  }
  if (!any) return "<tr>" + heading(corner) + below + "</tr>";
  std::string above = "<th></th>";
  for (const auto& [group, span] : groups)
    above += fmt::format("<th scope=\"colgroup\" colspan=\"{}\">{}</th>", span, escaped(group));
  return "<tr class=\"groups\">" + above + "</tr><tr>" + heading(corner) + below + "</tr>";
}

// Measurements
// -------------------------------------------------------------------------------------------------

struct Measured {
  const RunTrial* any = nullptr;
  std::vector<const RunTrial*> runs;  // null where a run lacks it
};

std::vector<Measured> measurementsOf(const std::string& bench, const std::vector<RunFile>& runs) {
  std::vector<Measured> rows;
  std::map<std::string, std::size_t> byKey;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::map<std::string, int> seen;  // equal rows of a run stay apart
    for (const RunTrial& trial : runs[run].trials) {
      if (trial.bench != bench) continue;
      std::string key = trial.workload + "\n" + trial.label + "\n" + trial.sizeText() + "\n" +
                        trial.settingsText();
      key += fmt::format("\n{}", seen[key]++);
      const auto [at, isNew] = byKey.emplace(key, rows.size());
      if (isNew) rows.push_back({&trial, std::vector<const RunTrial*>(runs.size(), nullptr)});
      rows[at->second].runs[run] = &trial;
    }
  }
  return rows;
}

/// Which columns have anything to say, and the largest values, for bars.
struct Columns {
  bool label = false, size = false, rate = false, memory = false, share = false, time = false;
  double maxMemory = 0;
  std::set<std::string> settings;   // whose values differ
  std::vector<std::string> values;  // what checks found
};

Columns columnsOf(const std::vector<Measured>& rows) {
  Columns columns;
  std::map<std::string, std::set<std::string>> settings;
  for (const Measured& row : rows)
    for (const RunTrial* trial : row.runs) {
      if (!trial) continue;
      columns.label = columns.label || !trial->label.empty();
      columns.size = columns.size || trial->width > 0;
      columns.time = columns.time || trial->time().n > 0;
      columns.rate = columns.rate || (trial->work > 0 && trial->time().n > 0);
      columns.memory = columns.memory || trial->memoryBytes > 0;
      columns.share = columns.share || trial->ofCopyBandwidth > 0;
      columns.maxMemory = std::max(columns.maxMemory, trial->memoryBytes);
      for (const auto& [name, value] : trial->settings) settings[name].insert(value);
      for (const auto& [name, value] : trial->values)
        if (std::find(columns.values.begin(), columns.values.end(), name) == columns.values.end())
          columns.values.push_back(name);
    }
  for (const auto& [name, texts] : settings)
    if (texts.size() > 1) columns.settings.insert(name);
  return columns;
}

/// A number with a bar behind it, as wide as its share of the largest.
std::string barred(double value, const std::string& shown, double share) {
  return fmt::format("<td class=\"n bar\" data-v=\"{}\" style=\"--share:{:.1f}%\">{}</td>",
                     exactNumber(value), 100 * std::clamp(share, 0.0, 1.0), shown);
}

std::string timeCells(const Measured& row, const std::vector<RunFile>& runs) {
  std::string html;
  const RunTrial* first = row.runs[0];
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const RunTrial* trial = row.runs[run];
    if (!trial || trial->time().n == 0) {
      html += number(kNotPrinted, "<span class=\"none\">\xE2\x80\x93</span>");
      continue;
    }
    const Summary& time = trial->time();
    std::string inside =
        fmt::format("{} <span class=\"spread\">{}\xE2\x80\x93{}{}</span>", shortNumber(time.median),
                    shortNumber(time.p10), shortNumber(time.p90), trial->gpu.n ? "" : ", clock");
    if (run > 0 && first && first->time().median > 0)
      inside += fmt::format(" <span class=\"ratio\">{} \xC3\x97</span>",
                            shortNumber(time.median / first->time().median));
    html += number(time.median, inside);
  }
  return html;
}

std::string measurementRow(const Measured& row, const Columns& columns,
                           const std::vector<RunFile>& runs) {
  const RunTrial& trial = *row.any;
  std::string html = text(trial.workload);
  if (columns.label) html += text(trial.label);
  if (columns.size) html += number(double(trial.width) * trial.height, trial.sizeText());
  for (const std::string& name : columns.settings) {
    const auto at = std::find_if(trial.settings.begin(), trial.settings.end(),
                                 [&](const auto& s) { return s.first == name; });
    html += text(at == trial.settings.end() ? "" : at->second);
  }
  if (columns.time) html += timeCells(row, runs);
  if (columns.rate) {
    const double ms = trial.time().median, rate = ms > 0 ? trial.work / (ms * 1e-3) : 0;
    html += rate > 0 ? number(rate, metricNumber(rate)) : number(kNotPrinted, "");
  }
  if (columns.share)
    html += trial.ofCopyBandwidth > 0
                ? barred(trial.ofCopyBandwidth, shortNumber(100 * trial.ofCopyBandwidth),
                         trial.ofCopyBandwidth)
                : number(kNotPrinted, "");
  if (columns.memory)
    html += barred(trial.memoryBytes, shortNumber(trial.memoryBytes / 1048576.0),
                   columns.maxMemory > 0 ? trial.memoryBytes / columns.maxMemory : 0);
  for (const std::string& name : columns.values) {
    const auto at = std::find_if(trial.values.begin(), trial.values.end(),
                                 [&](const auto& v) { return v.first == name; });
    html += at == trial.values.end() ? number(kNotPrinted, "")
                                     : number(at->second, shortNumber(at->second));
  }
  html += trial.timesDisagree.empty()
              ? text(trial.checked)
              : fmt::format("<td title=\"{}\">{}; times disagree</td>",
                            escaped(trial.timesDisagree), escaped(trial.checked));
  return "<tr>" + html + "</tr>\n";
}

std::string percent(double change) { return fmt::format("{:+.1f} %", 100 * std::expm1(change)); }

/// Changes are logarithms. What would have to double to be noticed cannot be judged.
std::string verdictCells(double change, double threshold, bool flagged) {
  const bool judged = threshold < std::log(2.0);
  return number(change, percent(change)) + number(threshold, judged ? percent(threshold) : "") +
         "<td class=\"word\">" +
         (flagged  ? "slower"
          : judged ? "within the noise"
                   : "too short to tell") +
         "</td>";
}

}  // namespace

std::string runDot(std::size_t run, const std::vector<RunFile>& runs) {
  return fmt::format("<i class=\"dot c{}\" title=\"{}\"></i>", run % 8, escaped(runs[run].name));
}

std::string gridTable(const Grid& grid, const std::vector<RunFile>& runs) {
  std::string body;
  for (const Grid::Row& row : grid.rows) {
    const bool measured = std::any_of(row.cells.begin(), row.cells.end(),
                                      [](const Grid::Cell& cell) { return cell.measured(); });
    body +=
        fmt::format("<tr{}><th scope=\"row\">{}{}</th>", row.printed ? "" : " class=\"own\"",
                    escaped(row.name), measured ? "" : "<span class=\"none\">not measured</span>");
    for (const Grid::Cell& cell : row.cells) body += gridCell(cell, runs);
    body += "</tr>\n";
  }
  std::string caption = grid.table->unit.empty() ? "Ours" : "Ours in " + grid.table->unit;
  caption += ", times the paper's, the paper's";
  if (!grid.table->device.empty()) caption += fmt::format(" ({})", grid.table->device);
  return wrapped(caption, gridHead(grid), body);
}

std::string stripTable(const Grid& grid, const std::vector<RunFile>& runs) {
  std::string body;
  for (const Grid::Row& row : grid.rows)
    for (std::size_t run = 0; run < runs.size(); ++run) {
      std::size_t least = grid.columns.size(), most = least, count = 0;
      for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        const double ms = row.cells[i].ours[run];
        if (std::isnan(ms)) continue;
        ++count;
        if (least == grid.columns.size() || ms < row.cells[least].ours[run]) least = i;
        if (most == grid.columns.size() || ms > row.cells[most].ours[run]) most = i;
      }
      if (count == 0) continue;
      const double fastest = row.cells[least].ours[run], slowest = row.cells[most].ours[run];
      body += "<tr>" + text(row.name) + "<td>" + runDot(run, runs) + escaped(runs[run].name) +
              "</td>" + number(double(count), fmt::format("{}", count)) +
              number(fastest, shortNumber(fastest)) + text(grid.columns[least]) +
              number(slowest, shortNumber(slowest)) + text(grid.columns[most]) +
              number(slowest / fastest, shortNumber(slowest / fastest)) + "</tr>\n";
    }
  if (body.empty()) return "";
  const std::string head = "<tr>" + heading(grid.table->rowsAre) + heading("device") +
                           heading("variants", "n") + heading("fastest, ms", "n") +
                           heading("which") + heading("slowest, ms", "n") + heading("which") +
                           heading("slowest / fastest", "n") + "</tr>";
  return wrapped(grid.table->title, head, body);
}

std::string choicesTable(const Grid& grid, const std::vector<RunFile>& runs) {
  std::string body;
  for (const Grid::Row& row : grid.rows)
    for (std::size_t run = 0; run < runs.size(); ++run) {
      std::vector<std::pair<std::string, double>> times;
      for (std::size_t i = 0; i < grid.columns.size(); ++i)
        if (const double ms = row.cells[i].ours[run]; !std::isnan(ms))
          times.emplace_back(grid.columns[i], ms);
      for (const ChoiceEffect& effect : choiceEffects(times)) {
        const std::vector<std::string>& names = grid.table->parts;
        const std::string choice = effect.part < names.size()
                                       ? names[effect.part]
                                       : fmt::format("part {}", effect.part + 1);
        body += "<tr>" + text(row.name) + "<td>" + runDot(run, runs) + escaped(runs[run].name) +
                "</td>" + text(choice) + text(effect.value + " against " + effect.against) +
                number(effect.pairs, fmt::format("{}", effect.pairs)) +
                number(effect.median, shortNumber(effect.median)) +
                number(effect.p10, shortNumber(effect.p10)) +
                number(effect.p90, shortNumber(effect.p90)) + "</tr>\n";
      }
    }
  if (body.empty()) return "";
  const std::string head = "<tr>" + heading(grid.table->rowsAre) + heading("device") +
                           heading("choice") + heading("which") + heading("pairs", "n") +
                           heading("ratio of times", "n") + heading("p10", "n") +
                           heading("p90", "n") + "</tr>";
  return wrapped("What a choice costs: pairs of variants that differ in nothing else", head, body);
}

std::string measurementTable(const std::string& bench, const std::vector<RunFile>& runs) {
  const std::vector<Measured> rows = measurementsOf(bench, runs);
  if (rows.empty()) return "";
  const Columns columns = columnsOf(rows);
  std::string head = heading("workload");
  if (columns.label) head += heading("case");
  if (columns.size) head += heading("size", "n");
  for (const std::string& name : columns.settings) head += heading(name);
  if (columns.time)
    for (std::size_t run = 0; run < runs.size(); ++run)
      head += heading(
          runs.size() > 1 ? "ms, " + runs[run].name : "ms, median and p10\xE2\x80\x93p90", "n");
  if (columns.rate) head += heading(rows[0].any->unit + "/s", "n");
  if (columns.share) head += heading("% of copy", "n");
  if (columns.memory) head += heading("MiB", "n");
  for (const std::string& name : columns.values) head += heading(name, "n");
  std::string body;
  for (const Measured& row : rows) body += measurementRow(row, columns, runs);
  return wrapped(fmt::format("{}: {} cases", bench, rows.size()),
                 "<tr>" + head + heading("checked") + "</tr>", body);
}

std::string comparisonTables(const Comparison& c) {
  std::string benches, flagged, others;
  for (const ComparedBench& bench : c.benches) {
    benches += fmt::format("<tr{}><th scope=\"row\">{}</th>",
                           bench.flagged ? " class=\"slower\"" : "", escaped(bench.bench)) +
               number(double(bench.rows.size()), fmt::format("{}", bench.rows.size())) +
               verdictCells(bench.change - c.common, bench.threshold, bench.flagged) + "</tr>\n";
    for (const PairedRow& row : bench.rows)
      (row.flagged ? flagged : others) +=
          fmt::format("<tr{}>", row.flagged ? " class=\"slower\"" : "") + text(bench.bench) +
          text(row.after->workload) +
          fmt::format("<td title=\"{}\">{}</td>", escaped(row.after->settingsText()),
                      escaped(row.after->label)) +
          number(row.beforeMs, shortNumber(row.beforeMs)) +
          number(row.afterMs, shortNumber(row.afterMs)) +
          verdictCells(row.change - c.common, row.threshold, row.flagged) + "</tr>\n";
  }
  const std::string verdict =
      heading("change", "n") + heading("noticed from", "n") + heading("verdict");
  const std::string head = "<tr>" + heading("bench") + heading("workload") + heading("case") +
                           heading("before, ms", "n") + heading("now, ms", "n") + verdict + "</tr>";
  std::string html =
      wrapped("Benches, all their rows together",
              "<tr>" + heading("bench") + heading("rows", "n") + verdict + "</tr>", benches);
  if (!flagged.empty()) html += wrapped("Rows that are slower", head, flagged);
  if (!others.empty())
    html += "<details><summary>All other rows</summary>\n" +
            wrapped("Rows within the noise", head, others) + "</details>\n";
  return html;
}

}  // namespace fathom::bench
