// SPDX-License-Identifier: BSD-3-Clause
// The rule of comparison on runs of a synthetic machine: equal runs are not flagged, benches that
// take a fifth longer are, whatever the machine's pace.
#include "app/lab/report/compare.h"

#include "tests/lab/sample_files.h"

namespace fathom::bench {
namespace {

using test::SyntheticRun;
using test::syntheticRun;

const ComparedBench& benchOf(const Comparison& c, const std::string& name) {
  for (const ComparedBench& bench : c.benches)
    if (bench.bench == name) return bench;
  throw std::runtime_error("no such bench");
}

class CompareRuns : public testing::TestWithParam<bool> {};  // software renderer or GPU
INSTANTIATE_TEST_SUITE_P(SoftwareAndGpu, CompareRuns, testing::Bool());

TEST_P(CompareRuns, OfOneCommitFlagNothingIn200Tries) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const BenchFile before = syntheticRun({2 * seed + 1, GetParam()});
    const BenchFile after = syntheticRun({2 * seed + 2, GetParam()});
    const Comparison c = compareRuns(before, after);
    EXPECT_EQ(c.worstRegression(), 0) << seed << "\n" << comparisonText(c);
  }
}

/// The benches whose threshold is below 10 %.
std::vector<std::string> judgedBenches(bool software) {
  std::vector<std::string> names;
  const BenchFile before = syntheticRun({1, software}), after = syntheticRun({2, software});
  const Comparison c = compareRuns(before, after);
  for (const ComparedBench& bench : c.benches)
    if (bench.rows.size() > 1 && bench.threshold < 0.10) names.push_back(bench.bench);
  return names;
}

TEST_P(CompareRuns, AFifthLongerIsFoundInEveryTry) {
  const std::vector<std::string> judged = judgedBenches(GetParam());
  ASSERT_GE(judged.size(), 2u);
  for (const std::string& slow : judged)
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const BenchFile before = syntheticRun({2 * seed + 1, GetParam()});
      const BenchFile after = syntheticRun({2 * seed + 2, GetParam(), slow, 1.2});
      const Comparison c = compareRuns(before, after);
      EXPECT_TRUE(benchOf(c, slow).flagged) << seed << "\n" << comparisonText(c);
      for (const ComparedBench& bench : c.benches)
        EXPECT_TRUE(bench.bench == slow || !bench.flagged) << bench.bench;
    }
}

TEST_P(CompareRuns, ABusierMachineIsNotASlowerProgram) {
  const BenchFile before = syntheticRun({1, GetParam()});
  const BenchFile after = syntheticRun({2, GetParam(), {}, 1, 1.06});
  const Comparison c = compareRuns(before, after);
  EXPECT_EQ(c.worstRegression(), 0) << comparisonText(c);
  // A measured pace has taken it off already.
  EXPECT_NEAR(std::expm1(c.common), GetParam() ? 0 : 0.06, 0.03);
}

TEST_P(CompareRuns, EverythingAFifthSlowerIsNotTheMachine) {
  const BenchFile before = syntheticRun({1, GetParam()});
  const BenchFile after = syntheticRun({2, GetParam(), {}, 1.2});
  const Comparison c = compareRuns(before, after);
  EXPECT_EQ(c.common, 0);
  EXPECT_GT(c.worstRegression(), 0.15);
}

TEST_P(CompareRuns, ASingleRowOfTwiceTheTimeIsFound) {
  const BenchFile before = syntheticRun({1, GetParam()});
  BenchFile after = syntheticRun({2, GetParam()});
  BenchRow* slow = nullptr;
  for (BenchRow& row : after.rows)
    if (row.gpu.median > 50) slow = &row;
  ASSERT_NE(slow, nullptr);
  for (Summary* s : {&slow->gpu, &slow->cpu})
    s->median *= 2, s->p10 *= 2, s->p90 *= 2, s->p25 *= 2, s->p75 *= 2;
  const Comparison c = compareRuns(before, after);
  EXPECT_NEAR(c.worstRegression(), 1, 0.2);
}

TEST_P(CompareRuns, AlternatingRunsOfOneCommitFlagNothingIn200Tries) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto [before, after] = test::syntheticTurns(seed, GetParam(), 1);
    const Comparison c = compareRuns(before, after);
    EXPECT_EQ(c.turns, 20);
    EXPECT_EQ(c.worstRegression(), 0) << seed << "\n" << comparisonText(c);
  }
}

TEST_P(CompareRuns, AFifthLongerInAlternatingRunsIsFoundInEveryTry) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto [before, after] = test::syntheticTurns(seed, GetParam(), 1.2);
    const Comparison c = compareRuns(before, after);
    for (const ComparedBench& bench : c.benches)
      EXPECT_EQ(bench.flagged, bench.bench == "bench.b") << seed << "\n" << comparisonText(c);
  }
}

TEST(Compare, RecognizesAlternatingRuns) {
  const auto [before, after] = test::syntheticTurns(1, true, 1);
  EXPECT_EQ(compareRuns(before, after).turns, 20);
  BenchFile later = after;  // one run after the other
  for (BenchRow& row : later.rows)
    for (RoundTimes& round : row.rounds) round.started += 1e6;
  EXPECT_EQ(compareRuns(before, later).turns, 0);
  BenchFile shorter = after;
  for (BenchRow& row : shorter.rows) row.rounds.pop_back();
  EXPECT_EQ(compareRuns(before, shorter).turns, 0);
  const auto [few, others] =
      test::syntheticTurns(1, true, 1, 5);  // too few to estimate their spread
  EXPECT_EQ(compareRuns(few, others).turns, 0);
}

TEST(Compare, UsesTheGpusTimeOrProcessorTimeOverThePace) {
  BenchFile before = syntheticRun({1}), after = syntheticRun({2});
  EXPECT_EQ(compareRuns(before, after).compared, Compared::Pace);
  for (BenchRow& row : after.rows) row.pace = {};
  EXPECT_EQ(compareRuns(before, after).compared, Compared::Cpu);
  EXPECT_EQ(compareRuns(syntheticRun({1, false}), syntheticRun({2, false})).compared,
            Compared::Gpu);
}

/// Files of older versions: a third more wall-clock time proves nothing.
TEST(Compare, WallClockOfSoftwareProvesLittle) {
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    BenchFile before = syntheticRun({2 * seed}), after = syntheticRun({2 * seed + 1});
    for (BenchFile* run : {&before, &after})
      for (BenchRow& row : run->rows) row.cpu = row.pace = {};
    const Comparison c = compareRuns(before, after);
    EXPECT_EQ(c.worstRegression(), 0) << comparisonText(c);
    EXPECT_FALSE(c.warnings.empty());
  }
}

TEST(Compare, PairsRowsAndNamesTheRest) {
  BenchFile before = syntheticRun({1}), after = syntheticRun({2});
  const std::size_t rows = before.rows.size();
  before.rows.pop_back();
  after.rows[0].label = "another";
  const Comparison c = compareRuns(before, after);
  EXPECT_EQ(c.pairs(), rows - 2);
  EXPECT_EQ(c.onlyBefore.size(), 1u);
  EXPECT_EQ(c.onlyAfter.size(), 2u);
}

TEST(Compare, WarnsOfAnotherDevice) {
  const BenchFile before = syntheticRun({1});
  BenchFile after = syntheticRun({2});
  after.machine.device.renderer = "Other";
  EXPECT_EQ(compareRuns(before, after).warnings.size(), 1u);
}

TEST(Compare, WarnsOfARunThatWasInterrupted) {
  const BenchFile before = syntheticRun({1});
  BenchFile after = syntheticRun({2});
  after.path = "now.json", after.interrupted = true;
  EXPECT_THAT(compareRuns(before, after).warnings,
              testing::ElementsAre("now.json: interrupted, later cases are missing"));
}

}  // namespace
}  // namespace fathom::bench
