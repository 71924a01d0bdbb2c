// SPDX-License-Identifier: BSD-3-Clause
// Range and histogram of a picture, and the contrast of the window's own colors.
#include "app/window/picture/statistics.h"

#include "app/window/ui/theme.h"

namespace fathom::viewer {
namespace {

TEST(Statistics, RangeAndBinsHoldEveryFiniteValue) {
  Image image(4, 1);
  image.pixels = {{-1, 0, 3, 1}, {0, 0, 0, 1}, {3, 3, 3, 0}, {1, 1, 1, 1}};
  image.pixels[1].r = std::numeric_limits<float>::quiet_NaN();
  const PictureStatistics s = statisticsOf(image);
  EXPECT_EQ(s.low, -1);
  EXPECT_EQ(s.high, 3);
  EXPECT_EQ(s.invalid, 1u);
  const auto sum = [&](std::size_t c) {
    return std::accumulate(s.bins[c].begin(), s.bins[c].end(), 0u);
  };
  EXPECT_EQ(sum(0), 3u);
  EXPECT_EQ(sum(1), 4u);
  EXPECT_EQ(s.bins[0][0], 1u);                             // -1
  EXPECT_EQ(s.bins[2][PictureStatistics::kBins - 1], 2u);  // 3, the upper end
}

TEST(Statistics, OneValueHasAnEmptyRange) {
  const PictureStatistics s = statisticsOf(Image(2, 2, glm::vec4(0.5f)));
  EXPECT_EQ(s.low, s.high);
  EXPECT_EQ(s.bins[1][0], 4u);
}

/// Contrast of two opaque colors, 1 .. 21 (WCAG 2.1, "contrast ratio").
float contrast(ImVec4 a, ImVec4 b) {
  const auto linear = [](float v) {
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  };
  const auto luminance = [&](const ImVec4& c) {
    return 0.2126f * linear(c.x) + 0.7152f * linear(c.y) + 0.0722f * linear(c.z);
  };
  const float first = luminance(a) + 0.05f, second = luminance(b) + 0.05f;
  return std::max(first, second) / std::min(first, second);
}

TEST(Theme, TextIsLegibleOnEveryGround) {
  using namespace ui::color;
  for (const ImVec4& ground : {kCanvas, kPanel, kBar, kRaised})
    for (const ImVec4& text : {kText, kDim, kFaint, kAccent, kSecond, kThird, kError})
      EXPECT_GE(contrast(text, ground), 4.5f) << text.x << " on " << ground.x;
}

TEST(Theme, ControlsAreOutlinedOnEveryGround) {
  using namespace ui::color;
  ImGui::CreateContext();
  ui::applyTheme(1);
  EXPECT_EQ(ImGui::GetStyle().FrameBorderSize, 1);
  for (const ImVec4& ground : {kCanvas, kPanel, kBar, kRaised})
    EXPECT_GE(contrast(ImGui::GetStyle().Colors[ImGuiCol_Border], ground), 3) << ground.x;
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace fathom::viewer
