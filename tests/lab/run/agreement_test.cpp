// SPDX-License-Identifier: BSD-3-Clause
// The sum of GPU times against the wall clock, on synthetic numbers.
#include "app/lab/run/agreement.h"

#include <gmock/gmock.h>

namespace fathom::bench {
namespace {

using testing::HasSubstr;

constexpr bool kSoftware = true, kGpu = false;

TEST(Agreement, OfASumThatFillsTheClock) {
  EXPECT_FALSE(disagree({9.9, 10, 0.1}, kSoftware));
  EXPECT_FALSE(disagree({9.9, 10, 0.1}, kGpu));
}

TEST(Agreement, EndsWhereTheSumExceedsTheClock) {
  for (const bool software : {kSoftware, kGpu}) {
    EXPECT_FALSE(disagree({10.4, 10, 0.1}, software));
    EXPECT_TRUE(disagree({10.6, 10, 0.1}, software));
    EXPECT_FALSE(disagree({0.06, 0.02, 0.01}, software));  // within the resolution of clocks
  }
}

TEST(Agreement, EndsWhereTheClockHasMoreThanSumAndHost) {
  EXPECT_TRUE(disagree({1, 10, 0.5}, kGpu));
  EXPECT_FALSE(disagree({1, 10, 6.5}, kGpu));       // the host worked
  EXPECT_FALSE(disagree({0.01, 0.5, 0.02}, kGpu));  // short: the way there and back
}

TEST(Agreement, SparesSoftwareWhatOtherProgramsDo) {
  EXPECT_FALSE(disagree({1, 10, 0.5}, kSoftware));
}

TEST(Agreement, NeedsASum) { EXPECT_FALSE(disagree({0, 10, 0}, kGpu)); }

TEST(Agreement, IsThatOfMostTrials) {
  const TrialTimes good{9, 10, 0.5}, bad{20, 10, 0.5};
  EXPECT_EQ(disagreement({}, kGpu), "");
  EXPECT_EQ(disagreement({good, good, bad}, kGpu), "");
  EXPECT_EQ(disagreement({good, bad}, kGpu), "");
  EXPECT_THAT(disagreement({bad, good, bad}, kGpu),
              HasSubstr("sum of GPU times 20.000 ms, wall clock 10.000 ms"));
  EXPECT_THAT(disagreement({bad, good, bad}, kGpu), HasSubstr("in 2 of 3 trials"));
}

}  // namespace
}  // namespace fathom::bench
