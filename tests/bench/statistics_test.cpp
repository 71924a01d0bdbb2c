// SPDX-License-Identifier: BSD-3-Clause
// Percentiles with known answers.
#include "app/bench/statistics.h"

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

}  // namespace
}  // namespace fathom::bench
