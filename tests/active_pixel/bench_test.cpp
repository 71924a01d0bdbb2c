// SPDX-License-Identifier: BSD-3-Clause
// The benches: every case of theirs is checked and reported, with the paper's values at the paper's
// sizes.
#include "app/bench/runner.h"
#include "app/techniques/active_pixel/bench_parts.h"
#include "app/techniques/active_pixel/command.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <set>

namespace fathom::active_pixel {
namespace {

class ActivePixelBench : public test::GpuTest {
 protected:
  /// With one trial each; all cases must pass their checks.
  static std::vector<bench::Result> run(const std::string& name) {
    const auto& all = benches();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Bench& b) { return b.name == name; });
    Progress progress;
    bench::RunOptions options;
    options.scale = BenchScale::Quick;
    options.size = glm::ivec2(120, 67);
    options.trials = 1;
    bench::Runner runner(context(), progress, options);
    runner.run(*at);
    EXPECT_EQ(runner.checksFailed(), 0);
    return runner.results();
  }
};

TEST_F(ActivePixelBench, EncodeTimesThreeModesAtTwoScales) {
  const auto results = run("active-pixel.encode");
  // 2 workloads, 2 scales, 3 modes, 2 steps.
  EXPECT_EQ(results.size(), 24u);
  for (const bench::Result& r : results) EXPECT_EQ(r.checked, "exact");
}

TEST_F(ActivePixelBench, RatioStatesSharesOfRaw) {
  const auto results = run("active-pixel.ratio");
  EXPECT_EQ(results.size(), 16u);  // 2 workloads, 2 scales, region and active, least and most
  const double raw = 120.0 * 67 * 8;
  for (const bench::Result& r : results) {
    EXPECT_GE(double(r.memoryBytes), 0);
    EXPECT_LE(double(r.memoryBytes), raw * 1.001) << r.benchCase.label;
    EXPECT_GT(r.benchCase.paperBytes, 0);
  }
}

TEST_F(ActivePixelBench, FramesGoThroughPartsAndModes) {
  EXPECT_EQ(run("active-pixel.frames").size(), 12u);  // 2 workloads, 2 counts of parts, 3 modes
}

/// Lipinski et al. 2021, tables 1 and 2, a value from each corner.
TEST(ActivePixelPaper, HasTheTablesOfThePaper) {
  EXPECT_EQ(paperTimes(PaperWorkload::Station, 0, Mode::Generic, false).transfer, 39.518);
  EXPECT_EQ(paperTimes(PaperWorkload::Station, 2, Mode::Gpu, true).compression, 2.114);
  EXPECT_EQ(paperTimes(PaperWorkload::Neurons, 1, Mode::Roi, false).compression, 5.404);
  EXPECT_EQ(paperTimes(PaperWorkload::Points, 2, Mode::Gpu, true).transfer, 0.043);
  EXPECT_EQ(paperTimes(PaperWorkload::Points, -1, Mode::Gpu, true).transfer, 0);
  EXPECT_EQ(paperShares(PaperWorkload::Station, false).mostActive, 21.809);
  EXPECT_EQ(paperShares(PaperWorkload::Points, true).leastRegion, 0.308);
  EXPECT_EQ(paperResolution({3840, 2160}), 1);
  EXPECT_EQ(paperResolution({640, 360}), -1);
}

}  // namespace
}  // namespace fathom::active_pixel
