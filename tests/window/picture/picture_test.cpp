// SPDX-License-Identifier: BSD-3-Clause
// Zoom and pan, the camera under mouse and keys, the display curve, ranges and histograms as
// numbers.
#include "app/window/picture/display.h"

#include "app/window/picture/statistics.h"
#include "app/window/ui/theme.h"

namespace fathom::viewer {
namespace {

PictureView viewOf(glm::ivec2 picture) {
  PictureView view;
  view.place({100, 50, 800, 400}, picture);
  return view;
}

TEST(PictureView, FitsTheWholePictureInTheMiddle) {
  const PictureView view = viewOf({1600, 400});
  EXPECT_FLOAT_EQ(view.zoom(), 0.5f);
  EXPECT_EQ(view.toWindow({800, 200}), glm::vec2(500, 250));
}

TEST(PictureView, WidePixelsAreShownWide) {
  PictureView view;
  view.place({100, 50, 800, 400}, {800, 400}, 2);
  EXPECT_FLOAT_EQ(view.zoom(), 0.5f);
  EXPECT_EQ(view.toWindow({0, 0}), glm::vec2(100, 150));
  EXPECT_EQ(view.toWindow({800, 400}), glm::vec2(900, 350));
  EXPECT_EQ(view.pixelAt({899, 150}), glm::ivec2(799, 0));
  view.zoomTo({300, 200}, 1);
  view.zoomTo({300, 200}, 4);
  EXPECT_EQ(view.toWindow(view.toPicture({300, 200})), glm::vec2(300, 200));
  EXPECT_EQ(view.toWindow({1, 1}) - view.toWindow({0, 0}), glm::vec2(8, 4));
}

TEST(PictureView, ZoomKeepsThePointUnderTheCursor) {
  PictureView view = viewOf({1600, 400});
  const glm::vec2 cursor(321, 222), before = view.toPicture(cursor);
  view.zoomAt(cursor, 3.7f);
  EXPECT_NEAR(view.toPicture(cursor).x, before.x, 1e-2);
  EXPECT_NEAR(view.toPicture(cursor).y, before.y, 1e-2);
}

TEST(PictureView, ZoomStepsMeetOneToOne) {
  PictureView view = viewOf({1600, 400});
  view.zoomAt({500, 250}, 1.9f);
  view.zoomAt({500, 250}, 1.2f);  // 0.95, then past 1
  EXPECT_EQ(view.zoom(), 1.0f);
}

TEST(PictureView, FittedViewFollowsTheWindow) {
  PictureView view = viewOf({1600, 400});
  view.place({0, 0, 400, 400}, {1600, 400});
  EXPECT_FLOAT_EQ(view.zoom(), 0.25f);
}

TEST(PictureView, ZoomedViewKeepsItsMiddleWhenTheWindowChanges) {
  PictureView view = viewOf({1600, 400});
  view.zoomAt({300, 200}, 4.0f);
  const glm::vec2 middle = view.middle();
  view.place({0, 0, 1000, 700}, {1600, 400});
  EXPECT_NEAR(view.middle().x, middle.x, 1e-2);
  EXPECT_NEAR(view.middle().y, middle.y, 1e-2);
}

TEST(PictureView, PartOfThePictureAlwaysStaysInSight) {
  PictureView view = viewOf({1600, 400});
  view.pan({1e6f, -1e6f});
  EXPECT_LT(view.toWindow({0, 0}).x, 900);
  EXPECT_GT(view.toWindow({1600, 400}).y, 50);
}

TEST(PictureView, PixelsCountFromTheCorner) {
  const PictureView view = viewOf({800, 400});
  EXPECT_EQ(view.pixelAt({100.5f, 50.5f}), glm::ivec2(0, 0));
  EXPECT_EQ(view.pixelAt({99.5f, 50.5f}), glm::ivec2(-1, 0));
  EXPECT_FALSE(view.inPicture({-1, 0}));
  EXPECT_TRUE(view.inPicture({799, 399}));
}

TEST(ShownByte, FollowsExposureAndCurve) {
  DisplaySettings settings;
  EXPECT_EQ(shownByte(settings, 0.5f), 188);
  settings.exposureStops = 1;
  EXPECT_EQ(shownByte(settings, 0.5f), 255);
  settings.exposureStops = 0;
  settings.curve = DisplaySettings::Curve::Gamma;
  settings.gamma = 1;
  EXPECT_EQ(shownByte(settings, 0.5f), 128);
  EXPECT_EQ(shownByte(settings, std::nanf("")), 0);
  EXPECT_EQ(shownByte(settings, -3), 0);
}

TEST(CameraControl, WheelComesNearer) {
  Camera camera;
  CameraControl control;
  const CameraInput input{.wheel = 2};
  EXPECT_TRUE(control.apply(input, camera));
  EXPECT_LT(camera.position.z, 5);
  EXPECT_EQ(camera.target, glm::vec3(0));
}

TEST(CameraControl, NothingDoneChangesNothing) {
  Camera camera;
  CameraControl control;
  EXPECT_FALSE(control.apply({}, camera));
  EXPECT_EQ(camera, Camera{});
}

TEST(CameraControl, FlyingMovesEyeAndTarget) {
  Camera camera;
  CameraControl control;
  const CameraInput input{.fly = true, .keys = {0, 0, 1}};
  EXPECT_TRUE(control.apply(input, camera));
  EXPECT_TRUE(control.flying());
  EXPECT_LT(camera.position.z, 5);
  EXPECT_LT(camera.target.z, 0);
}

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

TEST(Theme, LettersOfNamesAreLoadedWhenTheyAreMet) {
  ImGui::CreateContext();
  ui::applyTheme(1);
  EXPECT_TRUE(ImGui::GetIO().Fonts->Build());
  ui::noteLetters("caf\u00e9 \u2192 plain");
  EXPECT_FALSE(ui::lettersMissing()) << "no font is loaded for what is there";
  ui::noteLetters("\u0416\u03a9 \u65e5\u672c");
  EXPECT_TRUE(ui::lettersMissing());
  ui::applyTheme(1);
  EXPECT_TRUE(ImGui::GetIO().Fonts->Build());
  EXPECT_FALSE(ui::lettersMissing());
  for (const ImWchar letter : {0x0416, 0x03a9})
    EXPECT_TRUE(ui::fonts().text->FindGlyphNoFallback(letter)) << letter;
  const bool hasHan = fs::exists("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf");
  EXPECT_TRUE(!hasHan || ui::fonts().mono->FindGlyphNoFallback(0x65e5));
  ui::noteLetters("\u65e5");
  EXPECT_FALSE(ui::lettersMissing()) << "what no font has is looked for once";
  ImGui::DestroyContext();
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
