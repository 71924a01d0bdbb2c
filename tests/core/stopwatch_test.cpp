// SPDX-License-Identifier: BSD-3-Clause
// The stopwatch against the clock that it stands for.
#include "app/engine/core/stopwatch.h"

namespace fathom {
namespace {

TEST(Stopwatch, CountsInMillisecondsAndSeconds) {
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double ms = watch.ms(), seconds = watch.seconds();
  EXPECT_GE(ms, 5);
  EXPECT_GE(seconds * 1000, ms);
}

TEST(Stopwatch, StartsAgainOnRestart) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double before = watch.ms();
  watch.restart();
  EXPECT_LT(watch.ms(), before);
}

}  // namespace
}  // namespace fathom
