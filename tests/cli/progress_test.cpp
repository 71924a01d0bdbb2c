// SPDX-License-Identifier: BSD-3-Clause
// The progress line's text.
#include "app/cli/streams.h"

namespace fathom::commands {
namespace {

TEST(ProgressText, HasPercentRateAndTimeLeft) {
  EXPECT_EQ(progressText("read", 2e6, 8e6, 2), "read 25 %, 1.0 M/s, 6 s left");
}

TEST(ProgressText, WaitsForARateThatMeansSomething) {
  EXPECT_EQ(progressText("read", 1, 4, 0.1), "read 25 %");
}

TEST(ProgressText, WithoutTotalHasOnlyTime) {
  EXPECT_EQ(progressText("read", 5, 0, 3), "read, 3 s");
}

}  // namespace
}  // namespace fathom::commands
