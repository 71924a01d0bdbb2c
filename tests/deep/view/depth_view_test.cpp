// SPDX-License-Identifier: BSD-3-Clause
// What the ways of looking at depth rest on, without a device: their texts, peeling by the
// reference, fragments per pixel and the spread of depths as numbers.
#include "app/engine/deep/reference.h"
#include "app/engine/deep/view/survey.h"
#include "shaders/deep/view/depth_view_shared.h"
#include "tests/deep/deep_images.h"

namespace fathom::deep {
namespace {

constexpr Rect kPixel{0, 0, 1, 1};
const Fragment kRed{0.5f, 0, 0, 0.5f, 2, 2}, kGreen{0, 0.5f, 0, 0.5f, 3, 3},
    kBlue{0, 0, 1, 1, 5, 5};

glm::vec4 peeled(const Peel& peel) {
  const DeepImage image = test::deepImage(kPixel, {{kRed, kGreen, kBlue}});
  return reference::flatten(image, kPixel, peel).at(0, 0);
}

TEST(DeepDepthView, RangesAndRegionsAreReadFromText) {
  // Ranges come back from their text.
  for (const char* text : {"", "2.5:10", ":10", "-3:", "0:0"})
    EXPECT_EQ(textOf(parseZRange("peel", text)), text);
  EXPECT_TRUE(parseZRange("peel", ":").isAll());
  // Ranges that are none say what is expected.
  for (const std::string text : {"2", "a:3", "1:2:3", "nan:", "1:2x"}) {
    EXPECT_EQ(messageOf([&] { parseZRange("peel", text); }),
              "peel: expected NEAR:FAR, found \"" + text + "\"");
  }
  // Regions are cut to the picture.
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
  // Peeling by number counts within the range.
  EXPECT_EQ(peeled({{}, 2}), glm::vec4(0, 0.5f, 0, 0.5f));
  EXPECT_EQ(peeled({{2.5f, INFINITY}, 2}), glm::vec4(0, 0, 1, 1));
  EXPECT_EQ(peeled({{}, 4}), glm::vec4(0));
}

Survey surveyOf(const Rect& region, const std::vector<std::uint32_t>& counts) {
  Survey survey;
  addCounts(survey, region, counts);
  return survey;
}

TEST(DeepSurvey, CountsPixelsByTheirFragments) {
  Survey survey = surveyOf({0, 0, 3, 2}, {0, 1, 1, 5, 0, 2});
  addCounts(survey, {0, 2, 3, 1}, std::vector<std::uint32_t>{0, 0, 1});
  EXPECT_EQ(survey.pixelsWith, (std::vector<std::uint64_t>{4, 3, 1, 0, 0, 1}));
  EXPECT_EQ(survey.fragments, 10u);
  EXPECT_EQ(survey.pixels, 9u);
  EXPECT_EQ(survey.max, 5u);
  EXPECT_EQ(survey.emptyPixels(), 4u);
  EXPECT_NEAR(survey.mean(), 10.0 / 9, 1e-12);
}

TEST(DeepSurvey, HeaviestPixelsAreThoseOfDifferentPlaces) {
  std::vector<std::uint32_t> counts(100 * 60, 1);
  const auto at = [&](int x, int y) -> std::uint32_t& { return counts[std::size_t(y * 100 + x)]; };
  at(15, 20) = 90, at(16, 20) = 80;  // neighbors, though in different squares
  at(70, 50) = 70;
  const Survey survey = surveyOf({200, 300, 100, 60}, counts);
  ASSERT_GE(survey.heaviest.size(), 3u);
  EXPECT_EQ(survey.heaviest[0].pixel, glm::ivec2(215, 320));
  EXPECT_EQ(survey.heaviest[0].count, 90u);
  EXPECT_EQ(survey.heaviest[1].pixel, glm::ivec2(270, 350));
  EXPECT_EQ(survey.heaviest[2].count, 1u);
}

TEST(DeepSurvey, HeaviestOfSeveralRegionsAreThoseOfAll) {
  Survey survey = surveyOf({0, 0, 2, 1}, {3, 4});
  addCounts(survey, {0, 40, 2, 1}, std::vector<std::uint32_t>{9, 0});
  ASSERT_EQ(survey.heaviest.size(), 2u);
  EXPECT_EQ(survey.heaviest[0].pixel, glm::ivec2(0, 40));
  EXPECT_EQ(survey.heaviest[1].pixel, glm::ivec2(1, 0));
}

TEST(DeepSurvey, AnEmptyImageHasNoHeavyPixels) {
  EXPECT_TRUE(surveyOf({0, 0, 2, 1}, {0, 0}).heaviest.empty());
}

TEST(DeepSurvey, BarsHoldEveryPixelOnce) {
  for (const std::uint32_t most : {0u, 3u, 43u, 44u, 100u, 511u, 70000u}) {
    Survey survey;
    survey.max = most;
    survey.pixelsWith.assign(std::size_t(most) + 1, 2);
    const std::vector<Bar> bars = barsOf(survey, 44);
    EXPECT_LE(bars.size(), 44u) << most;
    std::uint64_t pixels = 0, next = 0;
    for (const Bar& bar : bars) {
      EXPECT_EQ(bar.first, next);
      EXPECT_GE(bar.last, bar.first);
      next = std::uint64_t(bar.last) + 1;
      pixels += bar.pixels;
    }
    EXPECT_EQ(next, std::uint64_t(most) + 1) << most;
    EXPECT_EQ(pixels, 2 * (std::uint64_t(most) + 1)) << most;
  }
}

std::vector<std::uint32_t> points(const std::vector<std::pair<float, std::uint32_t>>& items) {
  std::vector<std::uint32_t> words;
  for (const auto& [z, color] : items) {
    std::uint32_t bits;
    std::memcpy(&bits, &z, sizeof bits);
    words.insert(words.end(), {0, bits, bits, color, 0});
  }
  return words;
}

TEST(DeepSurvey, SharesOfTheFragmentsLeadToDepthsAndBack) {
  const DepthSample sample =
      sampleOf(points({{8, 0}, {1, 0}, {2, 0}, {INFINITY, 0}, {4, 0}, {100, 0}}), 4);
  EXPECT_EQ(sample.depths, (std::vector<float>{1, 2, 4, 8, 100}));
  EXPECT_EQ(sample.depthAt(0), 1);
  EXPECT_EQ(sample.depthAt(0.5f), 4);
  EXPECT_EQ(sample.depthAt(1), 100);
  EXPECT_FLOAT_EQ(sample.depthAt(0.125f), 1.5f);
  for (const float share : {0.0f, 0.1f, 0.25f, 0.6f, 1.0f})
    EXPECT_NEAR(sample.shareAt(sample.depthAt(share)), share, 1e-5f);
  EXPECT_EQ(sample.shareAt(-5), 0);
  EXPECT_EQ(sample.shareAt(1e9f), 1);
}

TEST(DeepSurvey, TheStripHasTheMeanColorsFromFrontToBack) {
  const DepthSample sample =
      sampleOf(points({{1, 0xFF0000FFu}, {2, 0xFF0000FFu}, {3, 0xFF00FF00u}, {4, 0xFFFF0000u}}), 2);
  ASSERT_EQ(sample.colors.size(), 2u);
  EXPECT_EQ(sample.colors[0], glm::vec3(1, 0, 0));
  EXPECT_EQ(sample.colors[1], glm::vec3(0, 0.5f, 0.5f));
}

}  // namespace
}  // namespace fathom::deep
