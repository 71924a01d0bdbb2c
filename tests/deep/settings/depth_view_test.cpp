// SPDX-License-Identifier: BSD-3-Clause
// What the ways of looking at depth rest on, without a device: their texts, peeling by the
// reference.
#include "app/engine/deep/settings/settings.h"

#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::deep {
namespace {

constexpr Rect kPixel{0, 0, 1, 1};
const Fragment kRed{0.5f, 0, 0, 0.5f, 2, 2}, kGreen{0, 0.5f, 0, 0.5f, 3, 3},
    kBlue{0, 0, 1, 1, 5, 5};

glm::vec4 peeled(const Peel& peel) {
  const DeepImage image = test::deepImage(kPixel, {{kRed, kGreen, kBlue}});
  return reference::flatten(image, kPixel, peel).at(0, 0);
}

TEST(DeepDepthView, RangesComeBackFromTheirText) {
  for (const char* text : {"", "2.5:10", ":10", "-3:", "0:0"})
    EXPECT_EQ(textOf(parseZRange("peel", text)), text);
  EXPECT_TRUE(parseZRange("peel", ":").isAll());
}

TEST(DeepDepthView, RangesThatAreNoneSayWhatIsExpected) {
  for (const std::string text : {"2", "a:3", "1:2:3", "nan:", "1:2x"}) {
    try {
      parseZRange("peel", text);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), "peel: expected NEAR:FAR, found \"" + text + "\"");
    }
  }
}

TEST(DeepDepthView, RegionsAreCutToThePicture) {
  EXPECT_EQ(parseRegion("", 8, 6), (Rect{0, 0, 8, 6}));
  EXPECT_EQ(parseRegion("2,1,100,3", 8, 6), (Rect{2, 1, 6, 3}));
  EXPECT_EQ(parseRegion("20,1,5,3", 8, 6), (Rect{0, 0, 8, 6}));
  EXPECT_EQ(textOf(Rect{2, 1, 6, 3}), "2,1,6,3");
  EXPECT_THROW(parseRegion("1,2,3", 8, 6), UsageError);
  EXPECT_THROW(parseRegion("1,2,0,3", 8, 6), UsageError);
}

TEST(DeepDepthView, KeysOrderDepths) {
  const float depths[] = {-INFINITY, -2, -1e-30f, 0, 1e-30f, 1, 100, INFINITY};
  for (std::size_t i = 1; i < std::size(depths); ++i)
    EXPECT_LT(zKey(depths[i - 1]), zKey(depths[i]));
}

TEST(DeepDepthView, PeelingKeepsWhatLiesInTheRange) {
  EXPECT_EQ(peeled({}), glm::vec4(0.5f, 0.25f, 0.25f, 1));
  EXPECT_EQ(peeled({{3, 5}, 0}), glm::vec4(0, 0.5f, 0.5f, 1));  // both ends belong to it
  EXPECT_EQ(peeled({{3.5f, 4}, 0}), glm::vec4(0));
}

TEST(DeepDepthView, PeelingByNumberCountsWithinTheRange) {
  EXPECT_EQ(peeled({{}, 2}), glm::vec4(0, 0.5f, 0, 0.5f));
  EXPECT_EQ(peeled({{2.5f, INFINITY}, 2}), glm::vec4(0, 0, 1, 1));
  EXPECT_EQ(peeled({{}, 4}), glm::vec4(0));
}

}  // namespace
}  // namespace fathom::deep
