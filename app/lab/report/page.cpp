// SPDX-License-Identifier: BSD-3-Clause
// Assembles the page: the machines, an overview, then a section per technique.
#include "app/lab/report/page.h"

#include "app/lab/catalog.h"
#include "app/lab/report/charts.h"
#include "app/lab/report/html.h"
#include "app/lab/report/page_tables.h"
#include "app/engine/engine.h"
#include "app/lab/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

namespace fathom::bench {
namespace {

constexpr std::size_t kMaxOpenRows = 24;  // longer tables start out folded

class Page {
 public:
  Page(const std::vector<BenchFile>& runs, const Comparison* comparison)
      : runs_(runs), comparison_(comparison) {}

  std::string html() {
    std::string body = header();
    if (comparison_) body += comparisonSection();
    body += overview();
    for (const TechniqueEntry& entry : techniques())
      if (!benchesOf(entry.info.name).empty()) body += section(entry.info.name, entry.info.title, entry.info.paper);
    body += section("gpu", "Shared GPU primitives", "");
    body += section("", "Others", "");
    return document(body);
  }

 private:
  std::string document(const std::string& body) const {
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
    page += "</style>\n</head>\n<body>\n" + body;
    page += "</main>\n<script type=\"application/json\" id=\"charts\">" + chartsJson(charts_) +
            "</script>\n";
    page += "<!--\n";
    page += kChartLicense;
    page += "-->\n<script>//<![CDATA[\n";
    page += kChartJs;
    page += "\n//]]></script>\n<script>//<![CDATA[\n";
    page += kPageJs;
    page += "\n//]]></script>\n</body>\n</html>\n";
    return page;
  }

  static std::string fact(const char* name, const std::string& value) {
    return value.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(value));
  }

  std::string header() const {
    std::string html =
        "<header>\n<h1>Fathom benchmarks</h1>\n<p class=\"lead\">Every table and figure of five "
        "papers, "
        "measured and checked against a reference, beside the numbers that they print.</p>\n"
        "<div class=\"runs\">\n";
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const BenchFile& r = runs_[run];
      const DeviceFacts& device = r.machine.device;
      html += fmt::format("<div class=\"run\"><h2>{}{}</h2>\n<dl>", runDot(run, runs_),
                          escaped(r.name));
      html += fact("device", device.renderer) + fact("vendor", device.vendor) +
              fact("driver", device.version) +
              fact("kind", device.software ? "software renderer" : "GPU") +
              fact("processor", r.machine.cpu) + fact("clocks", r.machine.clocks.text()) +
              fact("system", r.machine.os) + fact("date", r.machine.date) +
              fact("fathom", r.version + (r.commit.empty() ? "" : ", commit " + r.commit)) +
              fact("scale", r.scale) + fact("cases", fmt::format("{}", r.rows.size())) +
              fact("file", r.path);
      html += "</dl></div>\n";
    }
    return html + "</div>\n" + navigation() + "</header>\n<main>\n";
  }

  std::string navigation() const {
    std::string html = "<nav aria-label=\"Sections\">";
    if (comparison_) html += "<a href=\"#compare\">Comparison</a>";
    html += "<a href=\"#overview\">Overview</a>";
    for (const TechniqueEntry& entry : techniques())
      if (!benchesOf(entry.info.name).empty())
        html += fmt::format("<a href=\"#{}\">{}</a>", entry.info.name, escaped(entry.info.title));
    return html + "<a href=\"#gpu\">Primitives</a></nav>\n";
  }

  std::string comparisonSection() const {
    const Comparison& c = *comparison_;
    std::string html = "<section id=\"compare\"><h2>Comparison</h2>\n";
    const double worst = c.worstRegression();
    html += worst > 0 ? fmt::format("<p class=\"verdict slower\">Slower: up to {:.1f} %.</p>",
                                    100 * worst)
                      : "<p class=\"verdict\">Nothing is slower beyond the noise.</p>";
    html += fmt::format(
        "<p>{} rows of {} benches, paired by bench, workload, case, size and settings; {} of {}{}. "
        "A change is flagged when it exceeds its threshold: four standard deviations of a row's "
        "noise, three and a half of a bench's.</p>\n",
        c.pairs(), c.benches.size(),
        c.turns > 0 || c.compared == Compared::Gpu ? "medians" : "10th percentiles",
        nameOf(c.compared), c.turns > 0 ? fmt::format(", in {} alternating rounds", c.turns) : "");
    if (c.common != 0)
      html += fmt::format(
          "<p>The change that all benches share, {:+.1f} %, is attributed to the machine and "
          "subtracted.</p>\n",
          100 * std::expm1(c.common));
    for (const std::string& warning : c.warnings)
      html += "<p class=\"note\">" + escaped(warning) + "</p>\n";
    if (!c.onlyBefore.empty() || !c.onlyAfter.empty())
      html += fmt::format(
          "<p class=\"note\">Without a partner: {} rows of the old file, {} of the new "
          "one.</p>\n",
          c.onlyBefore.size(), c.onlyAfter.size());
    return html + comparisonTables(c) + "</section>\n";
  }

  /// Which of the papers' tables were measured, and how close the benches come to the bandwidth.
  std::string overview() {
    std::string rows;
    for (const Bench* bench : allBenches())
      for (const PaperTable& table : bench->tables) {
        const Grid grid = fillGrid(table, runs_);
        const std::size_t printed = grid.printedCells(), measured = grid.measuredCells();
        std::string state = printed > 0 ? fmt::format("{} of {} numbers", measured, printed) : "";
        if (printed == 0)
          state = grid.anyMeasured() ? "measured; the paper prints no numbers" : "not measured";
        else if (measured == 0)
          state = grid.anyMeasured() ? "in rows of ours" : "not measured";
        rows += fmt::format(
            "<tr{}><td><a "
            "href=\"#{}\">{}</a></td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
            grid.anyMeasured() ? "" : " class=\"missing\"", anchor(table.name), escaped(table.name),
            escaped(table.title), escaped(bench->name), state);
      }
    std::string html =
        "<section id=\"overview\"><h2>Overview</h2>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table class=\"sortable\"><caption>The papers' tables and "
        "figures</caption>\n<thead><tr><th scope=\"col\"><button type=\"button\">table or "
        "figure</button></th><th scope=\"col\"><button type=\"button\">of what</button></th>"
        "<th scope=\"col\"><button type=\"button\">bench</button></th><th scope=\"col\">"
        "<button type=\"button\">measured</button></th></tr></thead>\n<tbody>\n" +
        rows + "</tbody></table></div>\n";
    return html + canvases(bandwidthCharts(benchNames(), runs_)) + "</section>\n";
  }

  /// All our benches in order, then others that a file names.
  std::vector<std::string> benchNames() const {
    std::vector<std::string> names;
    for (const Bench* bench : allBenches()) names.push_back(bench->name);
    for (const BenchFile& run : runs_)
      for (const BenchRow& row : run.rows)
        if (std::find(names.begin(), names.end(), row.bench) == names.end())
          names.push_back(row.bench);
    return names;
  }

  static const Bench* known(const std::string& name) {
    for (const Bench* bench : allBenches())
      if (bench->name == name) return bench;
    return nullptr;
  }

  /// Empty `technique`: benches that this version does not know.
  std::string section(const std::string& technique, const std::string& title,
                      const std::string& paper) {
    std::string html, missing;
    for (const std::string& name : benchNames()) {
      const Bench* bench = known(name);
      const bool mine = technique.empty()
                            ? bench == nullptr
                            : bench && name.compare(0, technique.size() + 1, technique + ".") == 0;
      if (!mine) continue;
      const std::string part = benchPart(name, bench);
      html += part;
      if (part.empty())
        missing += fmt::format("{}<code>{}</code>", missing.empty() ? "" : ", ", escaped(name));
    }
    if (!missing.empty())
      html += "<p class=\"missing\">Not measured in these files either: " + missing + ".</p>\n";
    if (html.empty()) return "";
    return fmt::format("<section id=\"{}\"><h2>{}</h2>\n{}",
                       technique.empty() ? "others" : technique, escaped(title),
                       paper.empty() ? "" : "<p class=\"cite\">" + escaped(paper) + "</p>\n") +
           html + "</section>\n";
  }

  std::string benchPart(const std::string& name, const Bench* bench) {
    std::string html;
    bool strips = false;
    if (bench)
      for (const PaperTable& table : bench->tables) {
        html += paperPart(table, name);
        strips = strips || table.shape == PaperTable::Shape::Strip;
      }
    const std::string measurements = measurementTable(name, runs_);
    if (!strips) html += canvases(scalingCharts(name, runs_));
    if (!measurements.empty())
      html += fmt::format(
          "<details{}><summary><code>{}</code>: all cases{}</summary>\n{}</details>\n",
          (bench && !bench->tables.empty()) || caseCount(name) > kMaxOpenRows ? ""
                                                                              : " open=\"open\"",
          escaped(name), bench ? ". " + escaped(bench->about) : "", measurements);
    return html;
  }

  /// In the run that has the largest number.
  std::size_t caseCount(const std::string& bench) const {
    std::size_t count = 0;
    for (const BenchFile& run : runs_)
      count = std::max(count, std::size_t(std::count_if(
                                  run.rows.begin(), run.rows.end(),
                                  [&](const BenchRow& row) { return row.bench == bench; })));
    return count;
  }

  static std::string notMeasured(const std::string& bench) {
    return fmt::format(
        "<p class=\"missing\">Not measured in these files: <code>fathom bench {} --json "
        "FILE.json</code> does.</p>\n",
        escaped(bench));
  }

  std::string paperPart(const PaperTable& table, const std::string& bench) {
    const Grid grid = fillGrid(table, runs_);
    std::string html = fmt::format("<article id=\"{}\"><h3>{}</h3>\n<p>{}</p>\n",
                                   anchor(table.name), escaped(table.name), escaped(table.title));
    if (!grid.anyMeasured()) html += notMeasured(bench);
    if (table.shape == PaperTable::Shape::Strip) {
      html +=
          canvases(stripCharts(grid, runs_)) + stripTable(grid, runs_) + choicesTable(grid, runs_);
    } else {
      if (table.shape == PaperTable::Shape::Curves) html += canvases(curveCharts(grid, runs_));
      if (!grid.rows.empty()) html += gridTable(grid, runs_);
      html += canvases(relativeCharts(grid, runs_));
    }
    if (const std::size_t printed = grid.printedCells(); grid.anyMeasured() && printed > 0)
      html += "<p class=\"count\">" + countText(grid.measuredCells(), printed) + "</p>\n";
    if (!table.note.empty()) html += "<p class=\"note\">" + escaped(table.note) + "</p>\n";
    return html + "</article>\n";
  }

  static std::string countText(std::size_t measured, std::size_t printed) {
    if (measured == 0)
      return fmt::format(
          "None of the paper's {} numbers has a counterpart in these files; shaded rows are ours.",
          printed);
    return fmt::format("{} of the paper's {} numbers have a counterpart in these files.", measured,
                       printed);
  }

  /// Adds the charts to the page's list and returns their canvases.
  std::string canvases(const std::vector<Chart>& charts) {
    if (charts.empty()) return "";
    std::string html = "<div class=\"charts\">\n";
    for (const Chart& chart : charts) {
      html += fmt::format(
          "<figure{}><figcaption>{}</figcaption><div class=\"canvas\" "
          "style=\"height:{}px\"><canvas "
          "id=\"chart{}\" role=\"img\" aria-label=\"{}\"></canvas></div></figure>\n",
          chart.wide ? " class=\"wide\"" : "", escaped(chart.title), chart.height, charts_.size(),
          escaped(chart.title));
      charts_.push_back(chart);
    }
    return html + "</div>\n";
  }

  /// "archer-2018-table-1"
  static std::string anchor(const std::string& name) {
    std::string id;
    for (const char c : name) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (plain)
        id += c;
      else if (c >= 'A' && c <= 'Z')
        id += char(c - 'A' + 'a');
      else if (!id.empty() && id.back() != '-')
        id += '-';
    }
    return id;
  }

  const std::vector<BenchFile>& runs_;
  const Comparison* comparison_;
  std::vector<Chart> charts_;
};

}  // namespace

void nameRuns(std::vector<BenchFile>& runs) {
  for (BenchFile& run : runs)
    run.name = run.machine.device.renderer.empty() ? run.path : run.machine.device.renderer;
  const std::function<std::string(const BenchFile&)> details[] = {
      [](const BenchFile& r) { return r.scale; }, [](const BenchFile& r) { return r.machine.date; },
      [](const BenchFile& r) { return r.commit; },
      [](const BenchFile& r) { return std::filesystem::path(r.path).filename().string(); },
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

std::string reportPage(const std::vector<BenchFile>& runs, const Comparison* comparison) {
  return Page(runs, comparison).html();
}

}  // namespace fathom::bench
