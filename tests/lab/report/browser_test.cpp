// SPDX-License-Identifier: BSD-3-Clause
// The page of `fathom report` in a real browser, at the width of a phone and of a desk: no message
// on its console, every chart drawn, nothing wider than the screen, a click on a heading sorts.
#include "app/lab/report/page.h"
#include "app/engine/io/png.h"
#include "tests/lab/sample_files.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace fathom::bench {
namespace {

using testing::HasSubstr;

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
  test::Outcome browse(const std::vector<std::string>& more) {
    std::vector<std::string> command{
        FATHOM_CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--virtual-time-budget=3000",
        "--hide-scrollbars",
        "--user-data-dir=" + folder_.file("profile"),
        fmt::format("--window-size={},14000", std::max(500, GetParam()))};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back("file://" + folder_.file("frame.html"));
    test::RunOptions options;
    options.environment = {"HOME=" + folder_.path().string()};
    options.folder = folder_.path();
    return test::runProgram(command, options);
  }
  test::TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Widths, Browser, testing::Values(400, 1280, 1600));

TEST_P(Browser, DrawsEveryChartAndSortsWithoutComplaint) {
  const test::Outcome outcome = browse({"--dump-dom"});
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

/// The colors of both runs and of all three classes of variants are seen in the picture.
TEST_P(Browser, ShowsTheColorsOfRunsAndVariants) {
  const test::Outcome outcome = browse({"--screenshot=" + folder_.file("page.png")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::optional<Picture> picture = loadPngAsStored(folder_ / "page.png");
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

}  // namespace
}  // namespace fathom::bench
