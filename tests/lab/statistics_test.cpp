// SPDX-License-Identifier: BSD-3-Clause
// Percentiles with known answers.
#include "app/lab/statistics.h"

#include <gtest/gtest.h>

namespace fathom::bench {
namespace {

TEST(Percentile, OfNothingIsZero) { EXPECT_EQ(percentile({}, 0.5), 0); }

TEST(Percentile, OfOneValueIsThatValue) {
  EXPECT_EQ(percentile({3}, 0.1), 3);
  EXPECT_EQ(percentile({3}, 0.9), 3);
}

TEST(Percentile, LiesBetweenNeighborsLinearly) {
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

}  // namespace
}  // namespace fathom::bench
