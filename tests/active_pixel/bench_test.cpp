// SPDX-License-Identifier: BSD-3-Clause
// The benches: every case of theirs is checked and reported, with the paper's values at the paper's
// sizes.
#include "app/lab/catalog.h"
#include "app/lab/workload.h"
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
    BenchRun runner(context(), progress, options);
    runner.run(*at);
    EXPECT_EQ(runner.checksFailed(), 0);
    return runner.rows();
  }
};

TEST_F(ActivePixelBench, EncodeTimesThreeModesAtTwoScales) {
  const auto results = run("active-pixel.encode");
  // 2 workloads, 2 scales, 3 modes, 2 steps.
  EXPECT_EQ(results.size(), 24u);
  for (const bench::BenchRow& r : results) {
    EXPECT_EQ(r.checked, "exact");
    const std::string& column = r.paper.at(0).column;
    EXPECT_EQ(std::ranges::count(paper(1).columns, column), 1) << column;
  }
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
  EXPECT_EQ(paper(1).at("HD generic", "Station: transfer, 2 ranks"), 39.518);
  EXPECT_EQ(paper(1).at("8K roi-gpu", "Station: compression, 32 ranks"), 2.114);
  EXPECT_EQ(paper(1).at("4K roi-cpu", "Neurons: compression, 6 ranks"), 5.404);
  EXPECT_EQ(paper(1).at("8K roi-gpu", "GPS: transfer, 192 ranks"), 0.043);
  EXPECT_EQ(paper(2).at("Station AP", "Few ranks: most"), 21.809);
  EXPECT_EQ(paper(2).at("GPS ROI", "Many ranks: least"), 0.308);
}

}  // namespace
}  // namespace fathom::active_pixel
