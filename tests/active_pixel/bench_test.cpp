// SPDX-License-Identifier: BSD-3-Clause
// The benches: every case of theirs is checked and reported, with the paper's values at the paper's
// sizes.
#include "app/lab/active_pixel/bench.h"
#include "app/lab/catalog.h"
#include "app/lab/run/runner.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

const PaperTable& paper(int table) {
  return *bench::paperTableNamed(fmt::format("Lipinski et al. 2021, table {}", table));
}

class ActivePixelBench : public test::GpuTest {
 protected:
  /// With one trial each; all cases must pass their checks.
  static std::vector<bench::BenchRow> run(const std::string& name) {
    const auto& all = benches();
    const auto at = std::ranges::find_if(all, [&](const Bench& b) { return b.name == name; });
    Progress progress;
    bench::RunOptions options;
    options.scale = BenchScale::Quick;
    options.size = glm::ivec2(120, 67);
    options.trials = 1;
    bench::Runner runner(context(), progress, options);
    runner.run(*at);
    EXPECT_EQ(runner.checksFailed(), 0);
    return runner.rows();
  }
};

TEST_F(ActivePixelBench, EncodeTimesThreeModesAtTwoScales) {
  const auto results = run("active-pixel.encode");
  // 2 workloads, 2 scales, 3 modes, 2 steps.
  EXPECT_EQ(results.size(), 24u);
  for (const bench::BenchRow& r : results) EXPECT_EQ(r.checked, "exact");
}

TEST_F(ActivePixelBench, RatioStatesSharesOfRaw) {
  const auto results = run("active-pixel.ratio");
  EXPECT_EQ(results.size(), 16u);  // 2 workloads, 2 scales, region and active, least and most
  const double raw = 120.0 * 67 * 8;
  for (const bench::BenchRow& r : results) {
    EXPECT_GT(r.memoryBytes, 0) << r.label;  // something is drawn in every share
    EXPECT_LE(double(r.memoryBytes), raw * 1.001) << r.label;
    ASSERT_EQ(r.values.size(), 1u);
    EXPECT_NEAR(r.values[0].second, 100 * double(r.memoryBytes) / raw, 0.01);
    EXPECT_FALSE(std::isnan(paper(2).at(r.paper.at(0).row, r.paper.at(0).column)));
  }
}

TEST_F(ActivePixelBench, FramesGoThroughPartsAndModes) {
  EXPECT_EQ(run("active-pixel.frames").size(), 12u);  // 2 workloads, 2 counts of parts, 3 modes
}

/// Lipinski et al. 2021, tables 1 and 2, a value from each corner.
TEST(ActivePixelPaper, HasTheTablesOfThePaper) {
  const auto time = [](PaperWorkload workload, glm::ivec2 size, Mode mode, Step step, bool many) {
    const PaperCell cell = timeCell(workload, size, mode, step, many);
    return paper(1).at(cell.row, cell.column);
  };
  const auto share = [](PaperWorkload workload, bool many, const char* what, const char* extreme) {
    const PaperCell cell = shareCell(workload, many, what, extreme);
    return paper(2).at(cell.row, cell.column);
  };
  using enum PaperWorkload;
  EXPECT_EQ(time(Station, {1920, 1080}, Mode::Generic, Step::Transfer, false), 39.518);
  EXPECT_EQ(time(Station, {7680, 4320}, Mode::Gpu, Step::Compression, true), 2.114);
  EXPECT_EQ(time(Neurons, {3840, 2160}, Mode::Roi, Step::Compression, false), 5.404);
  EXPECT_EQ(time(Points, {7680, 4320}, Mode::Gpu, Step::Transfer, true), 0.043);
  EXPECT_TRUE(std::isnan(time(Points, {640, 360}, Mode::Gpu, Step::Transfer, true)));
  EXPECT_EQ(share(Station, false, "AP", "most"), 21.809);
  EXPECT_EQ(share(Points, true, "ROI", "least"), 0.308);
}

}  // namespace
}  // namespace fathom::active_pixel
