// SPDX-License-Identifier: BSD-3-Clause
// The page of `fathom report` as it is written: nothing in it asks for the network, nothing that a
// file says becomes markup, names tell runs apart. What its script makes of it is for
// browser_test.cpp.
#include "app/lab/report/page.h"

#include "tests/lab/sample_files.h"

#include <pugixml.hpp>

namespace fathom::bench {
namespace {

/// The parsed page; fails the test where it is not well-formed.
pugi::xml_document parsed(const std::string& page) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(page.data(), page.size());
  EXPECT_TRUE(result) << result.description() << " near "
                      << page.substr(std::size_t(result.offset), 200);
  return document;
}

TEST(ReportPage, IsWellFormedAndNeedsNothingElse) {
  const std::string page = reportPage(test::smallRuns());
  const pugi::xml_document document = parsed(page);
  for (const auto& found :
       document.select_nodes("//*[@src] | //link | //iframe | //object | //embed"))
    ADD_FAILURE() << found.node().name() << " loads something";
  const std::string style = document.select_node("//style").node().text().get();
  EXPECT_THAT(style, Not(HasSubstr("url(")));
  EXPECT_THAT(style, Not(HasSubstr("@import")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(ReportPage, CarriesTheLicenseOfChartJs) {
  const std::string page = reportPage(test::smallRuns());
  EXPECT_THAT(page, HasSubstr("Chart.js v3"));
  EXPECT_THAT(page, HasSubstr("Permission is hereby granted, free of charge"));
}

TEST(ReportPage, KeepsWhatFilesSayFromBecomingMarkup) {
  std::vector<BenchFile> runs = test::smallRuns();
  runs[0].machine.cpu = "</dd><script>alert(1)</script>\x01\xFF&";
  runs[0].rows[3].label = "]]></script><img src='http://example.org/'/>";
  runs[0].rows[3].workload = "--><!--";
  const pugi::xml_document document = parsed(reportPage(runs));
  EXPECT_EQ(document.select_nodes("//img").size(), 0u);
  EXPECT_EQ(document.select_nodes("//script").size(), 3u);  // the data, Chart.js, ours
  EXPECT_THAT(pageData(runs), Not(testing::AnyOf(HasSubstr("<"), HasSubstr("&"))));
  EXPECT_THAT(pageData(runs), HasSubstr("\\u0001\xEF\xBF\xBD"));  // bytes that are no text
}

TEST(ReportPage, RefusesRowsAndColumnsWithoutEnd) {
  BenchFile run;
  BenchRow row;
  for (int i = 0; i < 3000; ++i)
    row.paper.push_back(
        {"Archer 2018, table 1", std::to_string(i), std::to_string(i), "ms", 1, kNotPrinted});
  run.rows = {row};
  EXPECT_THROW(pageData({run}), Error);
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

}  // namespace
}  // namespace fathom::bench
