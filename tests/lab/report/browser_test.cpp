// SPDX-License-Identifier: BSD-3-Clause
// The page of `fathom report` in a real browser. At the width of a phone and of a desk: no message
// on its console, every chart drawn, nothing wider than the screen, a click on a heading sorts. Its
// contents: every table and figure of the papers, the numbers of bench files beside the printed
// ones.
#include "app/lab/report/page.h"

#include "app/engine/io/picture.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"
#include "tests/lab/sample_files.h"
#include "tests/support/program.h"

#include <pugixml.hpp>

namespace fathom::bench {
namespace {

constexpr const char* kStrip = "Lier et al. 2016, figure 9";

/// Two runs with what draws every kind of chart: tables, curves, strips, scaling, bandwidth.
std::vector<BenchFile> fullRuns() {
  std::vector<BenchFile> runs;
  for (const double pace : {1.0, 0.7}) {
    BenchFile run = parseBenchFile(test::smallBenchFile(), "small.json");
    run.machine.device.renderer = pace == 1 ? "First" : "Second";
    for (int i = 0; i < 320; ++i) {
      BenchRow row;
      row.bench = "dof.variants";
      row.workload = "r8";
      row.label = fmt::format("a.b.{}.d.{}", i,
                              i % 3 == 0   ? "none"
                              : i % 3 == 1 ? "block"
                                           : "each");
      row.gpu = summarize({pace * (1 + i * 37 % 101)});
      row.paper = {{kStrip, "r8", row.label, "ms", row.gpu.median, kNotPrinted}};
      run.rows.push_back(row);
    }
    for (const int bits : {7, 8, 9, 10}) {
      BenchRow row;
      row.bench = "flame.sort";
      row.label = fmt::format("{} bits", bits);
      row.settings = {{"bits", std::to_string(bits)}};
      row.gpu = summarize({pace * bits});
      row.paper = {{"Robertson 2011, figure 4", "random keys", std::to_string(bits), "M keys/s",
                    500 * pace, kNotPrinted}};
      run.rows.push_back(row);
    }
    runs.push_back(std::move(run));
  }
  nameRuns(runs);
  return runs;
}

/// Asks the page about itself and sends the answers to the page around it.
constexpr const char* kProbe = R"(<script>
  const drawn = Array.from(document.querySelectorAll('canvas'), (canvas) => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((v) => v !== 0);
  });
  const table = document.querySelector('details table.sortable');
  table.closest('details').open = true;
  const heading = Array.from(table.tHead.rows[0].cells).find((th) => th.textContent.startsWith('ms'));
  const values = () => Array.from(table.tBodies[0].rows, (row) => Number(row.cells[heading.cellIndex].dataset.v));
  const ascends = (v) => v.every((x, i) => i === 0 || v[i - 1] <= x);
  heading.querySelector('button').click();
  const up = ascends(values());
  heading.querySelector('button').click();
  const down = ascends(values().reverse());
  parent.postMessage('charts ' + drawn.length + ' blank ' + drawn.filter((d) => !d).length + ' up ' + up +
    ' down ' + down + ' overflow ' + Math.max(0, document.documentElement.scrollWidth - innerWidth) +
    ' width ' + innerWidth, '*');
</script></body>)";

/// Chromium with a file of this folder, in a window of this width.
Outcome openPage(const TempFolder& folder, const std::string& file, int width,
                 const std::vector<std::string>& more) {
  std::vector<std::string> command{FATHOM_CHROMIUM,
                                   "--headless",
                                   "--no-sandbox",
                                   "--disable-gpu",
                                   "--enable-logging=stderr",
                                   "--virtual-time-budget=3000",
                                   "--hide-scrollbars",
                                   "--user-data-dir=" + folder.file("profile"),
                                   fmt::format("--window-size={},14000", width)};
  command.insert(command.end(), more.begin(), more.end());
  command.push_back("file://" + folder.file(file));
  return test::runProgram(
      command, {.environment = {"HOME=" + folder.path().string()}, .folder = folder.path()});
}

class Browser : public testing::TestWithParam<int> {
 protected:
  /// The page in a frame of this width: browsers have no windows as narrow as a phone.
  void SetUp() override {
    std::string page = reportPage(fullRuns());
    const std::size_t end = page.rfind("</body>");
    page.replace(end, 7, kProbe);
    folder_.write("page.html", page);
    folder_.write(
        "frame.html",
        fmt::format("<!DOCTYPE html><html><body style=\"margin:0\"><script>\n"
                    "addEventListener('message', (e) => document.body.dataset.said = e.data);\n"
                    "</script><iframe src=\"page.html\" style=\"border:0;width:{}px;"
                    "height:14000px\"></iframe></body></html>",
                    GetParam()));
  }
  Outcome browse(const std::vector<std::string>& more) {
    return openPage(folder_, "frame.html", std::max(500, GetParam()), more);
  }
  TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Widths, Browser, testing::Values(400, 1280, 1600));

TEST_P(Browser, DrawsEveryChartAndSortsWithoutComplaint) {
  const Outcome outcome = browse({"--dump-dom"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("CONSOLE"), std::string::npos) << outcome.err;
  const std::size_t said = outcome.out.find("data-said=\"");
  ASSERT_NE(said, std::string::npos) << outcome.out.substr(0, 2000);
  const std::string answer =
      outcome.out.substr(said + 11, outcome.out.find('"', said + 11) - said - 11);
  EXPECT_THAT(answer, HasSubstr(" blank 0 up true down true overflow 0"));
  EXPECT_THAT(answer, HasSubstr(fmt::format("width {}", GetParam())));
  int charts = 0;
  EXPECT_EQ(std::sscanf(answer.c_str(), "charts %d", &charts), 1);
  EXPECT_GE(charts, 8);
}

class BrowserColors : public Browser {};  // the same at any width
INSTANTIATE_TEST_SUITE_P(Widths, BrowserColors, testing::Values(1280));

/// The colors of both runs and of all three classes of variants are seen in the picture.
TEST_P(BrowserColors, AreThoseOfRunsAndVariants) {
  const Outcome outcome = browse({"--screenshot=" + folder_.file("page.png")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::optional<Picture> picture = readPictureAsStored(folder_ / "page.png");
  ASSERT_TRUE(picture);
  struct Wanted {
    int r, g, b;
    int seen = 0;
  };
  std::vector<Wanted> wanted{{0x25, 0x63, 0xc9},
                             {0xd9, 0x73, 0x0d},
                             {0xc6, 0x28, 0x28},
                             {0xd8, 0xa8, 0x00},
                             {0x7e, 0x3f, 0xb5}};
  const auto byte = [](float value) { return int(std::lround(255 * value)); };
  for (const glm::vec4& p : picture->image.pixels)
    for (Wanted& w : wanted) w.seen += byte(p.r) == w.r && byte(p.g) == w.g && byte(p.b) == w.b;
  for (const Wanted& w : wanted) EXPECT_GT(w.seen, 50) << w.r << " " << w.g << " " << w.b;
}

// ---- Contents

/// Replaces the page by its own text as XML, without scripts and styles; canvases carry the names
/// and values of what they draw.
constexpr const char* kSerialize = R"(<script>
  for (const canvas of document.querySelectorAll('canvas')) {
    const data = Chart.getChart(canvas).data, of = (v) => typeof v === 'object' && v ? v.x + ':' + v.y : v;
    canvas.setAttribute('data-drawn', data.datasets.map((set) => set.label + ' ' + set.data.map(of).join(' ')).join('; '));
    canvas.setAttribute('data-colors', data.datasets.map((set) => [].concat(set.backgroundColor).join(' ')).join('; '));
  }
  for (const element of document.querySelectorAll('script, style')) element.remove();
  document.body.textContent = 'BEGIN' + new XMLSerializer().serializeToString(document) + 'END';
</script></body>)";

/// The page as the browser has built it.
pugi::xml_document rendered(const std::vector<BenchFile>& runs,
                            const Comparison* comparison = nullptr) {
  std::string page = reportPage(runs, comparison);
  page.replace(page.rfind("</body>"), 7, kSerialize);
  const TempFolder folder;
  folder.write("page.html", page);
  const Outcome outcome = openPage(folder, "page.html", 1280, {"--dump-dom"});
  EXPECT_EQ(outcome.err.find("CONSOLE"), std::string::npos) << outcome.err;
  const std::size_t begin = outcome.out.find("BEGIN"), end = outcome.out.rfind("END");
  pugi::xml_document shell, document;
  if (begin == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << outcome.out.substr(0, 2000);
    return document;
  }
  // The browser has escaped the XML once more, as text of its page.
  const std::string text = "<t>" + outcome.out.substr(begin + 5, end - begin - 5) + "</t>";
  shell.load_string(text.c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
  const std::string xml = shell.child("t").text().get();
  const pugi::xml_parse_result result =
      document.load_string(xml.c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
  EXPECT_TRUE(result) << result.description();
  return document;
}

/// The page of the small runs; the browser is started for it once.
const pugi::xml_document& smallPage() {
  static const pugi::xml_document document = rendered(test::smallRuns());
  return document;
}

std::string textOf(const pugi::xml_node& node) {
  std::string text = node.value();
  for (const pugi::xml_node& child : node.children()) text += textOf(child);
  return text;
}

TEST(ReportContents, NamesEveryTableAndFigureOfThePapers) {
  const std::string text = textOf(smallPage());
  for (const char* name : {"Archer 2018, table 1", "Archer 2018, table 2", "Archer 2018, table 3",
                           "Archer 2018, table 4", "Avramelos, table 1", "Avramelos, table 2",
                           "Avramelos, table 3", "Avramelos, table 4", "Avramelos, figure 11",
                           "Avramelos, figure 12", "Lier et al. 2016, figure 9",
                           "Lipinski et al. 2021, table 1", "Lipinski et al. 2021, table 2",
                           "Lipinski et al. 2021, figure 4", "Robertson 2011, figure 4"})
    EXPECT_THAT(text, HasSubstr(name));
}

/// As the page writes a number of a paper: exactly, where that is short.
std::string printed(double value) {
  const std::string exact = fmt::format("{}", value);
  return exact.size() <= 7 ? exact : fmt::format("{:.3g}", value);
}

/// Each number of each paper's table is in the page, measured or not.
TEST(ReportContents, HoldsEveryPrintedNumber) {
  const std::string text = textOf(smallPage());
  std::size_t numbers = 0;
  for (const PaperTable& table : paperTables()) {
    EXPECT_EQ(benchesNamed({table.bench})[0]->name, table.bench);
    for (const PaperTable::Row& row : table.rows) {
      EXPECT_EQ(row.values.size(), table.columns.size()) << table.name << ", " << row.name;
      for (const double value : row.values) {
        if (std::isnan(value)) continue;
        ++numbers;
        EXPECT_THAT(text, HasSubstr("paper " + printed(value))) << table.name;
      }
    }
  }
  EXPECT_GT(numbers, 300u);
}

TEST(ReportContents, PutsOursBesideThePapersWithTheRatio) {
  const pugi::xml_document& document = smallPage();
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

TEST(ReportContents, SaysWhatWasNotMeasured) {
  const pugi::xml_document& document = smallPage();
  const std::string figure9 =
      textOf(document.select_node("//article[@id='lier-et-al-2016-figure-9']").node());
  EXPECT_THAT(figure9, HasSubstr("Not measured in these files"));
  EXPECT_THAT(figure9, HasSubstr("fathom bench dof.variants"));
}

TEST(ReportContents, ShowsMachineMemoryBandwidthValuesAndUnknownBenches) {
  const std::string text = textOf(smallPage());
  for (const char* shown :
       {"Renderer <9>", "Vendor & Co", "4.6 driver 1", "A processor", "A system", "2026-01-31",
        "commit 0123456789", "paper", "682", "31.3", "later.bench", "7.13", "2.62 G"})
    EXPECT_THAT(text, HasSubstr(shown));
}

TEST(ReportContents, PutsRunsSideBySide) {
  std::vector<BenchFile> runs = test::smallRuns();
  runs.push_back(runs[0]);
  runs[1].machine.device.renderer = "Another GPU";
  runs[1].rows[0].gpu.median = 36.2;
  runs[1].rows[0].paper[0].ours = 36.2;
  nameRuns(runs);
  const pugi::xml_document document = rendered(runs);
  const pugi::xml_node article =
      document.select_node("//article[@id='archer-2018-table-1']").node();
  const std::string cell =
      textOf(article.select_node(".//tr[th[contains(., 'Hairball')]]").node().child("td"));
  EXPECT_THAT(cell, HasSubstr("18.1"));
  EXPECT_THAT(cell, HasSubstr("1 \xC3\x97"));
  EXPECT_THAT(textOf(document), HasSubstr("ms, Another GPU"));
}

TEST(ReportContents, PutsTheComparisonFirst) {
  std::vector<BenchFile> runs{test::syntheticRun({1}), test::syntheticRun({2, true, {}, 1.4})};
  nameRuns(runs);
  const Comparison comparison = compareRuns(runs[0], runs[1]);
  const pugi::xml_document document = rendered(runs, &comparison);
  const std::string text = textOf(document.select_node("//section[@id='compare']").node());
  EXPECT_THAT(text, HasSubstr("Slower: up to"));
  EXPECT_THAT(text, HasSubstr("bench.f"));
}

TEST(ReportContents, LinksStayWithinThePage) {
  const pugi::xml_document& document = smallPage();
  for (const auto& found : document.select_nodes("//a"))
    EXPECT_EQ(found.node().attribute("href").value()[0], '#');
  EXPECT_GT(document.select_nodes("//a").size(), 15u);
}

TEST(ReportContents, StripsRunBetweenFastestAndSlowestAndChoicesArePaired) {
  BenchFile run;
  const std::pair<const char*, double> times[] = {
      {"a.b.c.d.none", 3}, {"a.b.c.d.block", 2}, {"a.b.c.d.each", 4}, {"e.b.c.d.none", 6}};
  for (const auto& [id, ms] : times) {
    BenchRow row;
    row.bench = "dof.variants";
    row.paper = {{kStrip, "r8", id, "ms", ms, kNotPrinted}};
    run.rows.push_back(row);
  }
  const pugi::xml_document document = rendered({run});
  const pugi::xml_node article =
      document.select_node("//article[@id='lier-et-al-2016-figure-9']").node();
  const auto charts = article.select_nodes(".//canvas");
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_STREQ(charts[0].node().attribute("data-drawn").value(), "scaled time 0.25 0 0.5 1");
  EXPECT_STREQ(charts[1].node().attribute("data-drawn").value(), "scaled time 0 0.25 0.5 1");
  EXPECT_STREQ(charts[0].node().attribute("data-colors").value(),
               "#c62828 #18a04b #7e3fb5 #c62828");  // green is the fastest
  const std::string text = textOf(article);
  EXPECT_THAT(text, HasSubstr("e against a"));
  EXPECT_THAT(text, HasSubstr("each against none"));
  const pugi::xml_node pair = article.select_node(".//tr[td[. = 'e against a']]").node();
  EXPECT_THAT(textOf(pair), HasSubstr("e against a1222"));  // one pair; median, p10 and p90 of 2
}

TEST(ReportContents, ChartsFollowASettingThatABenchGoesThrough) {
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
  const pugi::xml_document document = rendered({run});
  const auto charts = document.select_nodes("//section[@id='dof']//canvas");
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_STREQ(charts[0].node().attribute("aria-label").value(),
               "dof.sort: time against max-radius");
  EXPECT_STREQ(charts[0].node().attribute("data-drawn").value(),
               "atrium: sort bitonic 8:8 16:16 32:32; atrium: sort radix 8:8 16:16 32:32");
}

TEST(ReportContents, RowsOfOursAreComparedWithTheYardstick) {
  BenchFile run;
  BenchRow row;
  row.paper = {{"Robertson 2011, figure 4", "random keys", "8", "M keys/s", 471.5, kNotPrinted}};
  run.rows = {row};
  const pugi::xml_document document = rendered({run});
  const pugi::xml_node article =
      document.select_node("//article[@id='robertson-2011-figure-4']").node();
  const pugi::xml_node own = article.select_node(".//tr[@class='own']").node();
  EXPECT_STREQ(own.child("th").child_value(), "random keys");
  EXPECT_THAT(textOf(own), HasSubstr("4720.500 \xC3\x97paper 943"));  // 472, half of 943
  EXPECT_THAT(textOf(article), HasSubstr("None of the paper's 8 numbers has a counterpart"));
}

TEST(ReportContents, NumbersAreShort) {
  BenchFile run;
  for (const double value : {0.012345, 12.345, 1234.4, 2.3891e-5, 14.0, 2.3891e9}) {
    BenchRow row;
    row.bench = "later.bench";
    row.values = {{"value", value}};
    run.rows.push_back(row);
  }
  const std::string text =
      textOf(rendered({run}).select_node("//section[@id='others']//tbody").node());
  for (const char* shown : {"0.0123", "12.3", "1234", "2.39e-05", "14", "2.39e+09"})
    EXPECT_THAT(text, HasSubstr(shown));
}

TEST(ReportContents, TextOfFilesIsShownAsItIs) {
  std::vector<BenchFile> runs = test::smallRuns();
  runs[0].machine.cpu = "</dd><script>alert(1)</script>\xC0\xAF&";
  runs[0].rows[3].label = "<img src='x'/>";
  const pugi::xml_document document = rendered(runs);
  EXPECT_EQ(document.select_nodes("//img").size(), 0u);
  const std::string text = textOf(document);
  EXPECT_THAT(text, HasSubstr("</dd><script>alert(1)</script>\xEF\xBF\xBD\xEF\xBF\xBD&"));
  EXPECT_THAT(text, HasSubstr("<img src='x'/>"));
}

}  // namespace
}  // namespace fathom::bench
