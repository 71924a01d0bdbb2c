// SPDX-License-Identifier: BSD-3-Clause
// The tables of a page: the papers' with our numbers, variants, measurements, comparison.
#include "app/lab/report/page_tables.h"

#include "app/lab/report/choices.h"
#include "app/lab/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fathom::bench {
namespace {

constexpr const char* kNoNumber = "<span class=\"none\">\xE2\x80\x93</span>";

/// Below our number, how many times the paper's it is.
std::string ratioLine(double paper, double ours) {
  return std::isnan(paper) || paper == 0
             ? ""
             : fmt::format("<span class=\"ratio\">{} \xC3\x97</span>", shortNumber(ours / paper));
}

/// Below the numbers of all runs, the paper's.
std::string paperLine(double paper) {
  return std::isnan(paper)
             ? ""
             : fmt::format("<span class=\"paper\">paper {}</span>", printedNumber(paper));
}

std::string gridCellHtml(const Grid::Cell& cell, const std::vector<BenchFile>& runs) {
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
  return numberCell(key, inside + paperLine(cell.paper));
}

/// Two rows of headings where columns are grouped.
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
    below += headingCell(rest, "n");
  }
  if (!any) return "<tr>" + headingCell(corner) + below + "</tr>";
  std::string above = "<th></th>";
  for (const auto& [group, span] : groups)
    above += fmt::format("<th scope=\"colgroup\" colspan=\"{}\">{}</th>", span, escaped(group));
  return "<tr class=\"groups\">" + above + "</tr><tr>" + headingCell(corner) + below + "</tr>";
}

// Measurements
// -------------------------------------------------------------------------------------------------

/// The same case in all runs.
struct MeasuredCase {
  const BenchRow* any = nullptr;
  std::vector<const BenchRow*> byRun;  // null where a run lacks it
};

std::vector<MeasuredCase> casesOf(const std::string& bench, const std::vector<BenchFile>& runs) {
  std::vector<MeasuredCase> cases;
  std::map<std::string, std::size_t> byKey;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::map<std::string, int> seen;  // equal rows of a run stay apart
    for (const BenchRow& row : runs[run].rows) {
      if (row.bench != bench) continue;
      std::string key = row.key();
      key += fmt::format("\n{}", seen[key]++);
      const auto [at, isNew] = byKey.emplace(key, cases.size());
      if (isNew) cases.push_back({&row, std::vector<const BenchRow*>(runs.size(), nullptr)});
      cases[at->second].byRun[run] = &row;
    }
  }
  return cases;
}

/// Which columns have content, and the largest values, for bars.
struct CaseColumns {
  bool label = false, size = false, rate = false, memory = false, share = false, time = false;
  std::int64_t maxMemory = 0;
  std::set<std::string> settings;   // whose values differ
  std::vector<std::string> values;  // names of what checks measured
};

CaseColumns columnsOf(const std::vector<MeasuredCase>& cases) {
  CaseColumns columns;
  std::map<std::string, std::set<std::string>> settings;
  for (const MeasuredCase& measured : cases)
    for (const BenchRow* row : measured.byRun) {
      if (!row) continue;
      columns.label = columns.label || !row->label.empty();
      columns.size = columns.size || row->size.x > 0;
      columns.time = columns.time || row->time().n > 0;
      columns.rate = columns.rate || (row->work > 0 && row->time().n > 0);
      columns.memory = columns.memory || row->memoryBytes > 0;
      columns.share = columns.share || row->ofCopyBandwidth > 0;
      columns.maxMemory = std::max(columns.maxMemory, row->memoryBytes);
      for (const FieldValue& setting : row->settings) settings[setting.name].insert(setting.text);
      for (const auto& [name, value] : row->values)
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

std::string timeCells(const MeasuredCase& measured) {
  std::string html;
  const BenchRow* first = measured.byRun[0];
  for (const BenchRow* row : measured.byRun) {
    if (!row || row->time().n == 0) {
      html += numberCell(kNotPrinted, kNoNumber);
      continue;
    }
    const Summary& time = row->time();
    std::string inside =
        fmt::format("{} <span class=\"spread\">{}\xE2\x80\x93{}{}</span>", shortNumber(time.median),
                    shortNumber(time.p10), shortNumber(time.p90), row->gpu.n ? "" : ", clock");
    if (row != first && first && first->time().median > 0)
      inside += fmt::format(" <span class=\"ratio\">{} \xC3\x97</span>",
                            shortNumber(time.median / first->time().median));
    html += numberCell(time.median, inside);
  }
  return html;
}

std::string caseRow(const MeasuredCase& measured, const CaseColumns& columns) {
  const BenchRow& row = *measured.any;
  std::string html = textCell(row.workload);
  if (columns.label) html += textCell(row.label);
  if (columns.size) html += numberCell(double(row.size.x) * row.size.y, row.sizeText());
  for (const std::string& name : columns.settings) {
    const auto at = std::find_if(row.settings.begin(), row.settings.end(),
                                 [&](const FieldValue& s) { return s.name == name; });
    html += textCell(at == row.settings.end() ? "" : at->text);
  }
  if (columns.time) html += timeCells(measured);
  if (columns.rate) {
    const double ms = row.time().median, rate = ms > 0 ? row.work / (ms * 1e-3) : 0;
    html += rate > 0 ? numberCell(rate, metricNumber(rate)) : numberCell(kNotPrinted, "");
  }
  if (columns.share)
    html += row.ofCopyBandwidth > 0
                ? barred(row.ofCopyBandwidth, shortNumber(100 * row.ofCopyBandwidth),
                         row.ofCopyBandwidth)
                : numberCell(kNotPrinted, "");
  if (columns.memory) {
    const double bytes = double(row.memoryBytes);
    html += barred(bytes, shortNumber(bytes / 1048576.0),
                   columns.maxMemory > 0 ? bytes / double(columns.maxMemory) : 0);
  }
  for (const std::string& name : columns.values) {
    const auto at = std::find_if(row.values.begin(), row.values.end(),
                                 [&](const auto& v) { return v.first == name; });
    html += at == row.values.end() ? numberCell(kNotPrinted, "")
                                   : numberCell(at->second, shortNumber(at->second));
  }
  html += row.timesDisagree.empty() ? textCell(row.checked)
                                    : fmt::format("<td title=\"{}\">{}; times disagree</td>",
                                                  escaped(row.timesDisagree), escaped(row.checked));
  return "<tr>" + html + "</tr>\n";
}

/// Changes are logarithms. A row that would have to double to be flagged cannot be judged.
std::string verdictCells(double change, double threshold, bool flagged) {
  const bool judged = threshold < std::log(2.0);
  return numberCell(change, percentText(change)) +
         numberCell(threshold, judged ? percentText(threshold) : "") + "<td class=\"word\">" +
         (flagged  ? "slower"
          : judged ? "within the noise"
                   : "too short to tell") +
         "</td>";
}

}  // namespace

std::string runDot(std::size_t run, const std::vector<BenchFile>& runs) {
  return fmt::format("<i class=\"dot c{}\" title=\"{}\"></i>", run % 8, escaped(runs[run].name));
}

std::string gridTable(const Grid& grid, const std::vector<BenchFile>& runs) {
  std::string body;
  for (const Grid::Row& row : grid.rows) {
    const bool measured = std::any_of(row.cells.begin(), row.cells.end(),
                                      [](const Grid::Cell& cell) { return cell.measured(); });
    body +=
        fmt::format("<tr{}><th scope=\"row\">{}{}</th>", row.printed ? "" : " class=\"own\"",
                    escaped(row.name), measured ? "" : "<span class=\"none\">not measured</span>");
    for (const Grid::Cell& cell : row.cells) body += gridCellHtml(cell, runs);
    body += "</tr>\n";
  }
  std::string caption = grid.table->unit.empty() ? "Ours" : "Ours in " + grid.table->unit;
  caption += ", times the paper's, the paper's";
  if (!grid.table->device.empty()) caption += fmt::format(" ({})", grid.table->device);
  return sortableTable(caption, gridHead(grid), body);
}

std::string stripTable(const Grid& grid, const std::vector<BenchFile>& runs) {
  std::string body;
  for (const Grid::Row& row : grid.rows)
    for (std::size_t run = 0; run < runs.size(); ++run) {
      std::size_t fastestAt = grid.columns.size(), slowestAt = fastestAt, count = 0;
      for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        const double ms = row.cells[i].ours[run];
        if (std::isnan(ms)) continue;
        ++count;
        if (count == 1 || ms < row.cells[fastestAt].ours[run]) fastestAt = i;
        if (count == 1 || ms > row.cells[slowestAt].ours[run]) slowestAt = i;
      }
      if (count == 0) continue;
      const double fastest = row.cells[fastestAt].ours[run];
      const double slowest = row.cells[slowestAt].ours[run];
      body += "<tr>" + textCell(row.name) + "<td>" + runDot(run, runs) + escaped(runs[run].name) +
              "</td>" + numberCell(double(count), fmt::format("{}", count)) +
              numberCell(fastest, shortNumber(fastest)) + textCell(grid.columns[fastestAt]) +
              numberCell(slowest, shortNumber(slowest)) + textCell(grid.columns[slowestAt]) +
              numberCell(slowest / fastest, shortNumber(slowest / fastest)) + "</tr>\n";
    }
  if (body.empty()) return "";
  const std::string head = "<tr>" + headingCell(grid.table->rowsAre) + headingCell("device") +
                           headingCell("variants", "n") + headingCell("fastest, ms", "n") +
                           headingCell("which") + headingCell("slowest, ms", "n") +
                           headingCell("which") + headingCell("slowest / fastest", "n") + "</tr>";
  return sortableTable(grid.table->title, head, body);
}

std::string choicesTable(const Grid& grid, const std::vector<BenchFile>& runs) {
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
        body += "<tr>" + textCell(row.name) + "<td>" + runDot(run, runs) + escaped(runs[run].name) +
                "</td>" + textCell(choice) + textCell(effect.value + " against " + effect.against) +
                numberCell(effect.pairs, fmt::format("{}", effect.pairs)) +
                numberCell(effect.median, shortNumber(effect.median)) +
                numberCell(effect.p10, shortNumber(effect.p10)) +
                numberCell(effect.p90, shortNumber(effect.p90)) + "</tr>\n";
      }
    }
  if (body.empty()) return "";
  const std::string head = "<tr>" + headingCell(grid.table->rowsAre) + headingCell("device") +
                           headingCell("choice") + headingCell("which") +
                           headingCell("pairs", "n") + headingCell("ratio of times", "n") +
                           headingCell("p10", "n") + headingCell("p90", "n") + "</tr>";
  return sortableTable("What a choice costs: pairs of variants that differ in nothing else", head,
                       body);
}

std::string measurementTable(const std::string& bench, const std::vector<BenchFile>& runs) {
  const std::vector<MeasuredCase> cases = casesOf(bench, runs);
  if (cases.empty()) return "";
  const CaseColumns columns = columnsOf(cases);
  std::string head = headingCell("workload");
  if (columns.label) head += headingCell("case");
  if (columns.size) head += headingCell("size", "n");
  for (const std::string& name : columns.settings) head += headingCell(name);
  if (columns.time)
    for (std::size_t run = 0; run < runs.size(); ++run)
      head += headingCell(
          runs.size() > 1 ? "ms, " + runs[run].name : "ms, median and p10\xE2\x80\x93p90", "n");
  if (columns.rate) head += headingCell(cases[0].any->unit + "/s", "n");
  if (columns.share) head += headingCell("% of copy", "n");
  if (columns.memory) head += headingCell("MiB", "n");
  for (const std::string& name : columns.values) head += headingCell(name, "n");
  std::string body;
  for (const MeasuredCase& measured : cases) body += caseRow(measured, columns);
  return sortableTable(fmt::format("{}: {} cases", bench, cases.size()),
                       "<tr>" + head + headingCell("checked") + "</tr>", body);
}

std::string comparisonTables(const Comparison& c) {
  std::string benches, flagged, others;
  for (const ComparedBench& bench : c.benches) {
    benches += fmt::format("<tr{}><th scope=\"row\">{}</th>",
                           bench.flagged ? " class=\"slower\"" : "", escaped(bench.bench)) +
               numberCell(double(bench.rows.size()), fmt::format("{}", bench.rows.size())) +
               verdictCells(bench.change - c.common, bench.threshold, bench.flagged) + "</tr>\n";
    for (const PairedRow& row : bench.rows)
      (row.flagged ? flagged : others) +=
          fmt::format("<tr{}>", row.flagged ? " class=\"slower\"" : "") + textCell(bench.bench) +
          textCell(row.after->workload) +
          fmt::format("<td title=\"{}\">{}</td>", escaped(row.after->settingsText()),
                      escaped(row.after->label)) +
          numberCell(row.beforeMs, shortNumber(row.beforeMs)) +
          numberCell(row.afterMs, shortNumber(row.afterMs)) +
          verdictCells(row.change - c.common, row.threshold, row.flagged) + "</tr>\n";
  }
  const std::string verdict =
      headingCell("change", "n") + headingCell("noticed from", "n") + headingCell("verdict");
  const std::string head = "<tr>" + headingCell("bench") + headingCell("workload") +
                           headingCell("case") + headingCell("before, ms", "n") +
                           headingCell("now, ms", "n") + verdict + "</tr>";
  std::string html = sortableTable(
      "Benches, all their rows together",
      "<tr>" + headingCell("bench") + headingCell("rows", "n") + verdict + "</tr>", benches);
  if (!flagged.empty()) html += sortableTable("Rows that are slower", head, flagged);
  if (!others.empty())
    html += "<details><summary>All other rows</summary>\n" +
            sortableTable("Rows within the noise", head, others) + "</details>\n";
  return html;
}

}  // namespace fathom::bench
