// SPDX-License-Identifier: BSD-3-Clause
// What widgets work out before they draw: depths along an axis, names with an ending.
#include "app/window/widgets/inspector.h"

#include "app/window/widgets/file_browser.h"

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

TEST(FullPath, HasOneEnding) {
  const std::vector<std::string> endings = {".exr", ".png"};
  EXPECT_EQ(fullPath("/shot/a", endings), "/shot/a.exr");
  EXPECT_EQ(fullPath("/shot/a.png", endings), "/shot/a.png");
  EXPECT_EQ(fullPath("/shot/a.png.exr", endings), "/shot/a.png");
  EXPECT_EQ(fullPath("/shot/a.v2", endings), "/shot/a.v2");
  // Of an ending alone ends.
  // Names with a dot in front have no ending, whatever follows it.
  EXPECT_EQ(fullPath("/shot/.png", {".exr", ".png"}), "/shot/.png.exr");
  EXPECT_EQ(fullPath(".exr.exr", {".exr"}), ".exr.exr");
}

}  // namespace
}  // namespace fathom::viewer
