// SPDX-License-Identifier: BSD-3-Clause
// The contents of the page of `fathom report`: every table and figure of the papers, the numbers of
// bench files beside the printed ones, and nothing that asks for the network.
#include "app/lab/report/page.h"

#include "app/lab/catalog.h"
#include "app/lab/report/charts.h"
#include "app/lab/report/choices.h"
#include "app/lab/report/html.h"
#include "app/engine/core/error.h"
#include "app/lab/workload.h"
#include "tests/lab/sample_files.h"

#include <gmock/gmock.h>
#include <pugixml.hpp>

#include <cmath>

namespace fathom::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<BenchFile> smallRuns() {
  std::vector<BenchFile> runs{parseBenchFile(test::smallBenchFile(), "small.json")};
  nameRuns(runs);
  return runs;
}

/// The parsed page; fails the test where it is not well-formed.
pugi::xml_document parsed(const std::string& page) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(page.data(), page.size());
  EXPECT_TRUE(result) << result.description() << " near "
                      << page.substr(std::size_t(result.offset), 200);
  return document;
}

std::string textOf(const pugi::xml_node& node) {
  std::string text = node.value();
  for (const pugi::xml_node& child : node.children())
    if (std::string(child.name()) != "script" && std::string(child.name()) != "style")
      text += textOf(child);
  return text;
}

TEST(ReportPage, IsWellFormedAndNeedsNothingElse) {
  const std::string page = reportPage(smallRuns());
  const pugi::xml_document document = parsed(page);
  for (const auto& found :
       document.select_nodes("//*[@src] | //link | //iframe | //object | //embed"))
    ADD_FAILURE() << found.node().name() << " loads something";
  for (const auto& found : document.select_nodes("//a"))
    EXPECT_EQ(found.node().attribute("href").value()[0], '#');
  const std::string style = document.select_node("//style").node().text().get();
  EXPECT_THAT(style, Not(HasSubstr("url(")));
  EXPECT_THAT(style, Not(HasSubstr("@import")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(ReportPage, CarriesTheLicenseOfChartJs) {
  const std::string page = reportPage(smallRuns());
  EXPECT_THAT(page, HasSubstr("Chart.js v3"));
  EXPECT_THAT(page, HasSubstr("Permission is hereby granted, free of charge"));
}

TEST(ReportPage, NamesEveryTableAndFigureOfThePapers) {
  const pugi::xml_document document = parsed(reportPage(smallRuns()));
  const std::string text = textOf(document);
  for (const char* name : {"Archer 2018, table 1", "Archer 2018, table 2", "Archer 2018, table 3",
                           "Archer 2018, table 4", "Avramelos, table 1", "Avramelos, table 2",
                           "Avramelos, table 3", "Avramelos, table 4", "Avramelos, figure 11",
                           "Avramelos, figure 12", "Lier et al. 2016, figure 9",
                           "Lipinski et al. 2021, table 1", "Lipinski et al. 2021, table 2",
                           "Lipinski et al. 2021, figure 4", "Robertson 2011, figure 4"})
    EXPECT_THAT(text, HasSubstr(name));
}

/// Each number of each paper's table is in the page, measured or not.
TEST(ReportPage, HoldsEveryPrintedNumber) {
  const std::string text = textOf(parsed(reportPage(smallRuns())));
  std::size_t numbers = 0;
  for (const Bench* bench : allBenches())
    for (const PaperTable& table : bench->tables)
      for (const PaperTable::Row& row : table.rows) {
        EXPECT_EQ(row.values.size(), table.columns.size()) << table.name << ", " << row.name;
        for (const double value : row.values) {
          if (std::isnan(value)) continue;
          ++numbers;
          EXPECT_THAT(text, HasSubstr("paper " + printedNumber(value))) << table.name;
        }
      }
  EXPECT_GT(numbers, 300u);
}

TEST(ReportPage, PutsOursBesideThePapersWithTheRatio) {
  const pugi::xml_document document = parsed(reportPage(smallRuns()));
  const pugi::xml_node article =
      document.select_node("//article[@id='archer-2018-table-1']").node();
  const pugi::xml_node row = article.select_node(".//tr[th[contains(., 'Hairball')]]").node();
  const std::string cell = textOf(row.child("td"));
  EXPECT_THAT(cell, HasSubstr("18.1"));
  EXPECT_THAT(cell, HasSubstr("0.500 \xC3\x97"));
  EXPECT_THAT(cell, HasSubstr("paper 36.2"));
  EXPECT_THAT(textOf(article), HasSubstr("2 of the paper's 32 numbers"));
  const pugi::xml_node missing = article.select_node(".//tr[th[contains(., 'Planes')]]").node();
  EXPECT_THAT(textOf(missing), HasSubstr("not measured"));
}

TEST(ReportPage, SaysWhatWasNotMeasured) {
  const pugi::xml_document document = parsed(reportPage(smallRuns()));
  const std::string figure9 =
      textOf(document.select_node("//article[@id='lier-et-al-2016-figure-9']").node());
  EXPECT_THAT(figure9, HasSubstr("Not measured in these files"));
  EXPECT_THAT(figure9, HasSubstr("fathom bench dof.variants"));
}

TEST(ReportPage, ShowsMachineMemoryBandwidthValuesAndUnknownBenches) {
  const std::string text = textOf(parsed(reportPage(smallRuns())));
  for (const char* shown :
       {"Renderer <9>", "Vendor & Co", "4.6 driver 1", "A processor", "A system", "2026-01-31",
        "commit 0123456789", "GPU 1980 of 2100 MHz", "times disagree", "paper", "682", "31.3",
        "later.bench", "7.13", "2.62 G"})
    EXPECT_THAT(text, HasSubstr(shown));
}

TEST(ReportPage, PutsRunsSideBySide) {
  std::vector<BenchFile> runs = smallRuns();
  runs.push_back(runs[0]);
  runs[1].machine.device.renderer = "Another GPU";
  runs[1].rows[0].gpu.median = 36.2;
  runs[1].rows[0].paper[0].ours = 36.2;
  nameRuns(runs);
  const pugi::xml_document document = parsed(reportPage(runs));
  const pugi::xml_node article =
      document.select_node("//article[@id='archer-2018-table-1']").node();
  const std::string cell =
      textOf(article.select_node(".//tr[th[contains(., 'Hairball')]]").node().child("td"));
  EXPECT_THAT(cell, HasSubstr("18.1"));
  EXPECT_THAT(cell, HasSubstr("1 \xC3\x97"));
  EXPECT_THAT(textOf(document), HasSubstr("ms, Another GPU"));
}

TEST(ReportPage, KeepsWhatFilesSayFromBecomingMarkup) {
  std::vector<BenchFile> runs = smallRuns();
  runs[0].machine.cpu = "</dd><script>alert(1)</script>\x01\xFF&";
  runs[0].rows[3].label = "]]></script><img src='http://example.org/'/>";
  runs[0].rows[3].workload = "--><!--";
  const pugi::xml_document document = parsed(reportPage(runs));
  EXPECT_EQ(document.select_nodes("//img").size(), 0u);
  EXPECT_EQ(document.select_nodes("//script").size(), 3u);  // the charts' data, Chart.js, ours
}

TEST(ReportPage, PutsTheComparisonFirst) {
  std::vector<BenchFile> runs{test::syntheticRun({1}), test::syntheticRun({2, true, {}, 1.4})};
  nameRuns(runs);
  const Comparison comparison = compareRuns(runs[0], runs[1]);
  const pugi::xml_document document = parsed(reportPage(runs, &comparison));
  const std::string text = textOf(document.select_node("//section[@id='compare']").node());
  EXPECT_THAT(text, HasSubstr("Slower: up to"));
  EXPECT_THAT(text, HasSubstr("bench.f"));
}

TEST(ReportCharts, DrawStripsBetweenFastestAndSlowest) {
  BenchFile run;
  const double times[] = {3, 2, 4};
  const char* const ids[] = {"a.b.c.d.none", "a.b.c.d.block", "a.b.c.d.each"};
  for (int i = 0; i < 3; ++i) {
    BenchRow row;
    row.bench = "dof.variants";
    row.paper = {{"Lier et al. 2016, figure 9", "r8", ids[i], "ms", times[i], kNotPrinted}};
    run.rows.push_back(row);
  }
  const Grid grid = fillGrid(*paperTableNamed("Lier et al. 2016, figure 9"), {run});
  const std::vector<Chart> charts = stripCharts(grid, {run});
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].series[0].y, (std::vector<double>{0.5, 0, 1}));
  EXPECT_EQ(charts[0].series[0].colors, (std::vector<int>{0, 3, 2}));  // green is the fastest
  EXPECT_EQ(charts[1].series[0].y, (std::vector<double>{0, 0.5, 1}));
}

TEST(ReportChoices, ComparePairsThatDifferInOneChoiceOnly) {
  const std::vector<ChoiceEffect> effects = choiceEffects({{"block.copy", 2},
                                                           {"block.inplace", 3},
                                                           {"warp.copy", 2},
                                                           {"warp.inplace", 6},
                                                           {"each.inplace", 12},
                                                           {"lonely", 1}});
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_EQ(effects[0].part, 0u);
  EXPECT_EQ(effects[0].value + " " + effects[0].against, "warp block");
  EXPECT_EQ(effects[0].pairs, 2);
  EXPECT_DOUBLE_EQ(effects[0].median, 1.5);  // of 1 and 2
  EXPECT_EQ(effects[1].value, "each");
  EXPECT_EQ(effects[1].pairs, 1);
  EXPECT_DOUBLE_EQ(effects[1].median, 4);
  EXPECT_EQ(effects[2].part, 1u);
  EXPECT_DOUBLE_EQ(effects[2].median, 2.25);  // of 1.5 and 3
  EXPECT_TRUE(choiceEffects({}).empty());
}

TEST(ReportCharts, FollowASettingThatABenchGoesThrough) {
  BenchFile run;
  for (const char* radius : {"8", "32", "16"})
    for (const char* sort : {"bitonic", "radix"}) {
      BenchRow row;
      row.bench = "dof.sort";
      row.workload = "atrium";
      row.settings = {{"sort", sort}, {"max-radius", radius}};
      row.gpu = summarize({std::stod(radius)});
      run.rows.push_back(row);
    }
  const std::vector<Chart> charts = scalingCharts("dof.sort", {run});
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_EQ(charts[0].xTitle, "max-radius");
  ASSERT_EQ(charts[0].series.size(), 2u);
  EXPECT_EQ(charts[0].series[0].x, (std::vector<double>{8, 16, 32}));
  EXPECT_EQ(charts[0].series[0].y, (std::vector<double>{8, 16, 32}));
}

TEST(ReportGrid, ComparesRowsOfOursWithTheYardstick) {
  BenchFile run;
  BenchRow row;
  row.paper = {{"Robertson 2011, figure 4", "random keys", "8", "M keys/s", 471.5, kNotPrinted}};
  run.rows = {row};
  const Grid grid = fillGrid(*paperTableNamed("Robertson 2011, figure 4"), {run});
  ASSERT_EQ(grid.rows.size(), 3u);
  EXPECT_EQ(grid.rows[2].name, "random keys");
  EXPECT_EQ(grid.rows[2].cells[1].paper, 943);
  EXPECT_EQ(grid.printedCells(), 8u);
  EXPECT_EQ(grid.measuredCells(), 0u);
}

TEST(ReportGrid, RefusesRowsAndColumnsWithoutEnd) {
  BenchFile run;
  BenchRow row;
  for (int i = 0; i < 3000; ++i)
    row.paper.push_back(
        {"Archer 2018, table 1", std::to_string(i), std::to_string(i), "ms", 1, kNotPrinted});
  run.rows = {row};
  EXPECT_THROW(fillGrid(*paperTableNamed("Archer 2018, table 1"), {run}), Error);
}

TEST(RunNames, SayWhatTellsRunsApart) {
  std::vector<BenchFile> runs(3);
  for (BenchFile& run : runs) run.machine.device.renderer = "GPU", run.machine.date = "2026-01-31";
  runs[0].commit = "aaa", runs[1].commit = "bbb", runs[2].commit = "bbb";
  runs[0].path = "x/1.json", runs[1].path = "x/2.json", runs[2].path = "y/2.json";
  nameRuns(runs);
  EXPECT_EQ(runs[0].name.rfind("GPU, aaa", 0), 0u);
  EXPECT_NE(runs[1].name, runs[2].name);
}

TEST(Numbers, AreShort) {
  EXPECT_EQ(shortNumber(0.012345), "0.0123");
  EXPECT_EQ(shortNumber(12.345), "12.3");
  EXPECT_EQ(shortNumber(1234.4), "1234");
  EXPECT_EQ(shortNumber(2.3891e-5), "2.39e-05");
  EXPECT_EQ(shortNumber(14), "14");
  EXPECT_EQ(printedNumber(1.8), "1.8");
  EXPECT_EQ(printedNumber(5578), "5578");
  EXPECT_EQ(exactNumber(NAN), "");
}

TEST(Escaping, ReplacesWhatDocumentsMayNotHold) {
  EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(escaped("\xC3\x97"), "\xC3\x97");
  EXPECT_EQ(escaped("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escaped(std::string("\0", 1)), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace fathom::bench
