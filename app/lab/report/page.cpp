// SPDX-License-Identifier: BSD-3-Clause
// What page.js builds the page from, as JSON inside it: the runs with their rows, the papers'
// tables, the sections, and the comparison as it was judged.
#include "app/lab/report/page.h"

#include "app/engine/core/error.h"
#include "app/engine/engine.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"

#include <nlohmann/json.hpp>

namespace fathom::bench {
namespace {

using PageJson = nlohmann::ordered_json;

// ---- Runs

/// What a run's card states; the page leaves out what is empty.
std::vector<std::pair<std::string, std::string>> factsOf(const BenchFile& run) {
  const DeviceFacts& device = run.machine.device;
  return {{"device", device.renderer},
          {"vendor", device.vendor},
          {"driver", device.version},
          {"kind", device.software ? "software renderer" : "GPU"},
          {"processor", run.machine.cpu},
          {"system", run.machine.os},
          {"date", run.machine.date},
          {"fathom", run.version + (run.commit.empty() ? "" : ", commit " + run.commit)},
          {"scale", run.scale},
          {"cases", fmt::format("{}{}", run.rows.size(), run.interrupted ? ", interrupted" : "")},
          {"file", run.path}};
}

/// Lists of pairs, in the order of their names.
template <class Pairs>
PageJson pairsJson(const Pairs& pairs) {
  PageJson list = PageJson::array();
  for (const auto& [name, value] : pairs) list.push_back({name, value});
  return list;
}

PageJson rowJson(const BenchRow& row) {
  PageJson settings = PageJson::array(), paper = PageJson::array(), time, size;
  for (const FieldValue& setting : row.settings) settings.push_back({setting.name, setting.text});
  for (const PaperNumber& number : row.paper)
    paper.push_back({{"table", number.table},
                     {"row", number.row},
                     {"column", number.column},
                     {"ours", number.ours}});
  if (const Summary& t = row.time(); t.n > 0)
    time = {{"median", t.median}, {"p10", t.p10}, {"p90", t.p90}, {"clock", row.gpu.n == 0}};
  if (row.size.x > 0) size = {row.size.x, row.size.y};
  return {{"bench", row.bench},
          {"unit", row.unit},
          {"workload", row.workload},
          {"label", row.label},
          {"size", size},
          {"settings", settings},
          {"work", row.work},
          {"time", time},
          {"share", row.ofCopyBandwidth},
          {"memory", row.memoryBytes},
          {"values", pairsJson(row.values)},
          {"checked", row.checked},
          {"paper", paper}};
}

PageJson runsJson(const std::vector<BenchFile>& runs) {
  PageJson list = PageJson::array();
  for (const BenchFile& run : runs) {
    PageJson rows = PageJson::array();
    for (const BenchRow& row : run.rows) rows.push_back(rowJson(row));
    list.push_back({{"name", run.name}, {"facts", pairsJson(factsOf(run))}, {"rows", rows}});
  }
  return list;
}

// ---- The papers' tables and the sections

/// Throws Error when the rows and columns that files add to a table make it too large for a page.
void checkCells(const PaperTable& table, const std::vector<BenchFile>& runs) {
  constexpr std::size_t kMaxCells = std::size_t(1) << 22;  // over all runs
  std::set<std::string> columns(table.columns.begin(), table.columns.end()), rows;
  for (const PaperTable::Row& row : table.rows) rows.insert(row.name);
  for (const BenchFile& run : runs)
    for (const BenchRow& row : run.rows)
      for (const PaperNumber& number : row.paper)
        if (number.table == table.name) columns.insert(number.column), rows.insert(number.row);
  if (rows.size() * columns.size() * runs.size() > kMaxCells)
    fail("{}: expected at most {} cells in these files, found {} rows and {} columns", table.name,
         kMaxCells, rows.size(), columns.size());
}

/// As papers.json has it, with what it leaves out.
PageJson tableJson(const PageJson& stated) {
  const PageJson none = PageJson::array();
  PageJson table = {{"name", ""},     {"title", ""},        {"unit", ""},      {"device", ""},
                    {"rowsAre", ""},  {"columnsAre", ""},   {"columns", none}, {"rows", none},
                    {"note", ""},     {"yardstick", ""},    {"shape", "grid"}, {"parts", none},
                    {"colorPart", 0}, {"colorValues", none}};
  for (const auto& [key, value] : stated.items())
    if (key != "rows" && key != "bench") table[key] = value;
  const PageJson rows = stated.value("rows", PageJson::object());
  for (const auto& [name, values] : rows.items())
    table["rows"].push_back({{"name", name}, {"values", values}});
  return table;
}

PageJson benchesJson(const std::vector<BenchFile>& runs) {
  const PageJson papers = PageJson::parse(kPapersJson);
  for (const PaperTable& table : paperTables()) checkCells(table, runs);
  PageJson list = PageJson::array();
  for (const Bench* bench : allBenches()) {
    PageJson tables = PageJson::array();
    for (const PageJson& paper : papers)
      if (paper["bench"].get<std::string>() == bench->name) tables.push_back(tableJson(paper));
    list.push_back({{"name", bench->name}, {"about", bench->about}, {"tables", tables}});
  }
  return list;
}

PageJson sectionsJson() {
  PageJson list = PageJson::array();
  const auto add = [&](const std::string& id, const std::string& title, const std::string& paper,
                       const std::string& navigation) {
    list.push_back({{"id", id}, {"title", title}, {"paper", paper}, {"navigation", navigation}});
  };
  for (const TechniqueEntry& entry : techniques())
    if (!benchesOf(entry.info.name).empty())
      add(entry.info.name, entry.info.title, entry.info.paper, entry.info.title);
  add("gpu", "Shared GPU primitives", "", "Primitives");
  add("others", "Others", "", "");
  return list;
}

// ---- The comparison

std::vector<std::string> linesAbout(const Comparison& c) {
  std::vector<std::string> lines{fmt::format(
      "{} rows of {} benches, paired by bench, workload, case, size and settings; {} of {}{}. "
      "A change is flagged when it exceeds its threshold: four standard deviations of a row's "
      "noise, three and a half of a bench's.",
      c.pairs(), c.benches.size(),
      c.turns > 0 || c.compared == Compared::Gpu ? "medians" : "10th percentiles",
      nameOf(c.compared), c.turns > 0 ? fmt::format(", in {} alternating rounds", c.turns) : "")};
  if (c.common != 0)
    lines.push_back(fmt::format(
        "The change that all benches share, {:+.1f} %, is attributed to the machine and "
        "subtracted.",
        100 * std::expm1(c.common)));
  return lines;
}

PageJson comparisonJson(const Comparison& c) {
  std::vector<std::string> warnings = c.warnings;
  if (!c.onlyBefore.empty() || !c.onlyAfter.empty())
    warnings.push_back(fmt::format("Without a partner: {} rows of the old file, {} of the new one.",
                                   c.onlyBefore.size(), c.onlyAfter.size()));
  PageJson benches = PageJson::array();
  for (const ComparedBench& bench : c.benches) {
    PageJson rows = PageJson::array();
    for (const PairedRow& row : bench.rows)
      rows.push_back({{"workload", row.after->workload},
                      {"label", row.after->label},
                      {"settings", row.after->settingsText()},
                      {"beforeMs", row.beforeMs},
                      {"afterMs", row.afterMs},
                      {"change", row.change - c.common},
                      {"threshold", row.threshold},
                      {"flagged", row.flagged}});
    benches.push_back({{"bench", bench.bench},
                       {"change", bench.change - c.common},
                       {"threshold", bench.threshold},
                       {"flagged", bench.flagged},
                       {"rows", rows}});
  }
  return {{"worst", c.worstRegression()},
          {"lines", linesAbout(c)},
          {"warnings", warnings},
          {"benches", benches}};
}

/// JSON that is safe inside a script element, and inside XML.
std::string embeddable(const PageJson& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, PageJson::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&' || c == 0x7F)
      safe += fmt::format("\\u{:04x}", int(c));
    else
      safe += c;
  }
  return safe;
}

}  // namespace

void nameRuns(std::vector<BenchFile>& runs) {
  for (BenchFile& run : runs)
    run.name = run.machine.device.renderer.empty() ? run.path : run.machine.device.renderer;
  const std::function<std::string(const BenchFile&)> details[] = {
      [](const BenchFile& r) { return r.scale; }, [](const BenchFile& r) { return r.machine.date; },
      [](const BenchFile& r) { return r.commit; },
      [](const BenchFile& r) { return fs::path(r.path).filename().string(); },
      [](const BenchFile& r) { return r.path; }};
  const auto allDiffer = [&] {
    std::set<std::string> names;
    for (const BenchFile& run : runs) names.insert(run.name);
    return names.size() == runs.size();
  };
  for (const auto& detail : details) {
    if (allDiffer()) return;
    std::set<std::string> values;
    for (const BenchFile& run : runs) values.insert(detail(run));
    if (values.size() < 2) continue;
    for (BenchFile& run : runs)
      if (const std::string more = detail(run); !more.empty()) run.name += ", " + more;
  }
  if (allDiffer()) return;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name += fmt::format(" ({})", i + 1);
}

std::string pageData(const std::vector<BenchFile>& runs, const Comparison* comparison) {
  return embeddable({{"runs", runsJson(runs)},
                     {"benches", benchesJson(runs)},
                     {"sections", sectionsJson()},
                     {"comparison", comparison ? comparisonJson(*comparison) : PageJson()}});
}

std::string reportPage(const std::vector<BenchFile>& runs, const Comparison* comparison) {
  std::string page =
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<meta name=\"generator\" content=\"fathom " FATHOM_VERSION
      "\"/>\n"
      "<title>Fathom benchmarks</title>\n<style>\n";
  page += kPageCss;
  page += "</style>\n</head>\n<body>\n<header></header>\n<main></main>\n";
  page += "<script type=\"application/json\" id=\"data\">" + pageData(runs, comparison) +
          "</script>\n<!--\n";
  page += kChartLicense;
  page += "-->\n<script>//<![CDATA[\n";
  page += kChartJs;
  page += "\n//]]></script>\n<script>//<![CDATA[\n";
  page += kPageJs;
  page += "\n//]]></script>\n</body>\n</html>\n";
  return page;
}

}  // namespace fathom::bench
