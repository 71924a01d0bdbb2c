// SPDX-License-Identifier: BSD-3-Clause
// Percentiles with known answers, the tables that `fathom bench` prints, and what it foretells.
#include "app/engine/io/json.h"
#include "app/lab/bench_file.h"
#include "app/lab/workload.h"

namespace fathom::bench {
namespace {

TEST(Percentile, LiesBetweenNeighborsLinearly) {
  // Of nothing is zero.
  EXPECT_EQ(percentile({}, 0.5), 0);
  // Of one value is that value.
  EXPECT_EQ(percentile({3}, 0.1), 3);
  EXPECT_EQ(percentile({3}, 0.9), 3);
  // Lies between neighbors linearly.
  EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile({0, 10}, 0.1), 1);
}

TEST(Summary, CountsAndSorts) {
  const Summary summary = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(summary.n, 5);
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.p10, 1.4);
  EXPECT_DOUBLE_EQ(summary.p90, 4.6);
}

TEST(MedianChange, IsAsSureAsItsValuesAgree) {
  EXPECT_EQ(medianChange({}).noise, 0);
  // 80 % within -1.6 and 1.6: 1.2533 * 3.2 / 2.563 / sqrt(5)
  const MedianChange change = medianChange({-2, 1, 0, -1, 2});
  EXPECT_EQ(change.median, 0);
  EXPECT_NEAR(change.noise, 0.699796, 1e-6);
  EXPECT_LT(medianChange(std::vector<double>(20, 0.1)).noise, 1e-12);
}

TEST(TimeRatio, IsThatOfPairs) {
  EXPECT_EQ(ratioOf({}, {}).ratio, 1);
  // The machine gets slower and slower; the ratio of each pair is the same.
  const TimeRatio half = ratioOf({1, 2, 4, 8}, {2, 4, 8, 16});
  EXPECT_DOUBLE_EQ(half.ratio, 0.5);
  EXPECT_NEAR(half.noise, 0, 1e-12);
  EXPECT_GT(ratioOf({1, 3, 1, 3}, {2, 2, 2, 2}).noise, 0.2);
}

BenchRow rowNamed(const std::string& label, double ms) {
  BenchRow row;
  row.bench = "test.bench", row.unit = "fragments";
  row.workload = "words", row.label = label;
  row.work = 1000;
  row.gpu = {ms, ms, ms, 5};
  return row;
}

TEST(BenchRow, HasTheKeyOfProgramsWithoutASettingThatIsEmpty) {
  BenchRow now = rowNamed("LL-S", 6), before = now;
  now.settings.push_back({"do", "", {}});
  EXPECT_EQ(now.key(), before.key());
  now.settings.back().text = "grade 1 gain=2";
  EXPECT_NE(now.key(), before.key());
}

TEST(Tables, SetRowsAgainstTheFastestAndThePaper) {
  BenchRow slow = rowNamed("LL-S", 6), fast = rowNamed("BIA-RBM", 2);
  slow.paper = {{"Archer 2018, table 1", "Hairball", "LL-S", "ms", 6, 36.2}};
  fast.paper = {{"Archer 2018, table 1", "Hairball", "BIA-RBM", "ms", 2, 5.9}};
  const std::string text = textTables({slow, fast});
  EXPECT_THAT(text, HasSubstr("test.bench, words"));
  EXPECT_THAT(text, HasSubstr("3.00"));  // 6 / 2
  EXPECT_THAT(text, HasSubstr("6.14"));  // 36.2 / 5.9
}

TEST(Tables, LeaveOutColumnsWithoutContent) {
  const std::string text = textTables({rowNamed("a", 6)});
  for (const char* heading : {"x best", "paper", "wall ms", "of copy"})
    EXPECT_THAT(text, Not(HasSubstr(heading)));
}

TEST(Csv, QuotesTexts) {
  BenchFile file;
  file.rows = {rowNamed("a \"b\", c", 2)};
  file.rows[0].settings = {{"layout", "bia"}, {"early", "on"}};
  EXPECT_THAT(csv(file), HasSubstr("\ntest.bench,\"words\",\"a \"\"b\"\", c\",0,0,"
                                   "\"layout=bia early=on\",fragments,1000,0,2,2,2,5,0,0,"));
}

gpu::PassTiming took(const std::string& pass, double ms) {
  gpu::PassTiming timing;
  timing.name = pass, timing.gpuMs = ms;
  return timing;
}

// A pass without known instructions: 3.35 GB are 1 ms of an H100's memory, and 1.25 at four fifths
// of its rate; a million operations in a row are 4 million cycles of 1.98 GHz. Each waits 4 us
// more.
TEST(Prediction, IsTheLongestOfBytesInstructionsAndTheirChain) {
  const gpu::Dispatched moves{"move", "none.comp", 1e6, 0, 3'350'000'000};
  const gpu::Dispatched counts{"count", "none.comp", 1, 1e6, 0};
  const std::string table = predictionTable(std::vector{moves, counts, moves},
                                            {took("move", 7), took("idle", 1), took("count", 2)});
  EXPECT_THAT(table, testing::ContainsRegex("pass +times .*H100 +RX 6800 +Iris Xe\n"));
  EXPECT_THAT(table, testing::ContainsRegex("move +2 +2.000 +6700.0 +7.000 +2.508 .2.000. "));
  EXPECT_THAT(table, testing::ContainsRegex("count +1 +0.000 +0.0 +2.000 +2.024 .0.000. "));
  EXPECT_THAT(table, testing::ContainsRegex("all +3 +2.000 +6700.0 +9.000 +4.532 .2.000. "));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("idle")));
}

// 768 lanes of 1.35 GHz for every instruction that Intel's compiler makes of the shader; of other
// defines, what its file has.
TEST(Prediction, TakesInstructionsFromTheExpectation) {
  const std::string known = "shaders/deep/lists/merge_lists.comp";
  const double each = Json::parse(kShadersJson).at(known).at("tgl").at(0);
  const double ms = 1e-6 * each * 1e9 / (768 * 1.35) + 0.010;
  for (const char* defines : {"", " NEW=7"})
    EXPECT_THAT(predictionTable(std::vector{gpu::Dispatched{"merge", known + defines, 1e9, 0, 0}},
                                {took("merge", 0)}),
                testing::HasSubstr(fmt::format("{:.3f} (0.000)\n", ms)));
}

}  // namespace
}  // namespace fathom::bench
