// SPDX-License-Identifier: BSD-3-Clause
// The range of depths that the plot of fragments shows.
#include "app/window/widgets/inspector.h"

namespace fathom::viewer {
namespace {

TEST(DepthRange, HoldsAllFiniteDepths) {
  const float infinity = std::numeric_limits<float>::infinity();
  const DepthRange range = depthRange({{2, 3, 1, 0, 0, 0, 0}, {5, infinity, 1, 0, 0, 0, 0}});
  EXPECT_LT(range.low, 2);
  EXPECT_GT(range.high, 5);
  EXPECT_TRUE(std::isfinite(range.high));
  EXPECT_EQ(range.place(infinity), 1);
  EXPECT_EQ(range.place(std::nanf("")), 1);
}

TEST(DepthRange, OneDepthLiesInTheMiddleWideOnesAreLogarithmic) {
  // One depth lies in the middle.
  EXPECT_NEAR(depthRange({{4, 4, 1, 0, 0, 0, 0}}).place(4), 0.5f, 1e-3);
  // Wide ranges are logarithmic.
  const DepthRange range = depthRange({{1, 1, 1, 0, 0, 0, 0}, {10000, 10000, 1, 0, 0, 0, 0}});
  EXPECT_TRUE(range.logarithmic);
  EXPECT_NEAR(range.place(100), 0.5f, 1e-2);
}

TEST(DepthRange, NoFiniteDepthIsNoError) {
  const DepthRange range = depthRange({{std::nanf(""), std::nanf(""), 1, 0, 0, 0, 0}});
  EXPECT_LT(range.low, range.high);
}

}  // namespace
}  // namespace fathom::viewer
