// SPDX-License-Identifier: BSD-3-Clause
// What the display pass makes of known values.
#include "app/window/picture/display.h"
#include "tests/support/gpu_test.h"

namespace fathom::viewer {
namespace {

class DisplayTest : public test::GpuTest {
 protected:
  gpu::Texture textureOf(const Image& image) {
    gpu::Texture texture(context(), "picture", gpu::TextureFormat::Rgba32f, image.width,
                         image.height);
    texture.upload(image);
    return texture;
  }
  /// Of one color.
  gpu::Texture textureOf(glm::vec4 color) { return textureOf(Image(8, 8, color)); }
  /// The middle of a picture of one color, as bytes of the display.
  glm::ivec3 shown(glm::vec4 value) {
    const gpu::Texture picture = textureOf(value);
    return shown({&picture, nullptr, ++generation}, {32, 32});
  }
  glm::ivec3 shown(const ShownPictures& pictures, glm::ivec2 at) {
    PictureView view;
    view.place({0, 0, 64, 64}, {8, 8});
    const gpu::Texture& texture = display.draw(pictures, view, settings);
    const glm::vec4 texel = texture.texel(at.x, at.y);
    return glm::ivec3(glm::vec3(texel) * 255.0f + 0.5f);
  }
  Display display{context()};
  DisplaySettings settings;
  std::uint64_t generation = 0;
};

TEST_F(DisplayTest, EncodesAsSrgb) { EXPECT_EQ(shown({0.5f, 0, 1, 1}), glm::ivec3(188, 0, 255)); }

TEST_F(DisplayTest, AgreesWithTheBytesOfTheInspector) {
  using Curve = DisplaySettings::Curve;
  for (const auto& [curve, stops] : {std::pair(Curve::Srgb, 0.75f), {Curve::Filmic, 0.0f}})
    for (const float value : {0.0f, 0.001f, 0.03f, 0.2f, 0.5f, 0.7f, 4.0f, 100.0f}) {
      settings.curve = curve, settings.exposureStops = stops;
      EXPECT_NEAR(shown({value, value, value, 1}).g, shownByte(settings, value), 1) << value;
    }
}

TEST_F(DisplayTest, NormalizesTheRangeToBlackAndWhite) {
  settings.normalize = true;
  const auto normalized = [&](float value) {
    const gpu::Texture picture = textureOf({value, value, value, 1});
    ShownPictures pictures{&picture, nullptr, ++generation};
    pictures.range = {-2, 6};
    return shown(pictures, {32, 32}).r;
  };
  EXPECT_EQ(normalized(-2), 0);
  EXPECT_EQ(normalized(6), 255);
  EXPECT_EQ(normalized(2), 188);
}

TEST_F(DisplayTest, TheDifferenceIsBlueBelowAndOrangeAbove) {
  const gpu::Texture a = textureOf({0.5f, 0.5f, 0.5f, 1});
  const auto against = [&](float value) {
    const gpu::Texture b = textureOf({value, value, value, 1});
    ShownPictures pictures{&a, &b, ++generation};
    pictures.difference = 4;
    return shown(pictures, {32, 32});
  };
  const glm::ivec3 less = against(1), equal = against(0.5f), more = against(0);
  EXPECT_GT(less.b, less.r);
  EXPECT_GT(more.r, more.b);
  EXPECT_EQ(equal, glm::ivec3(16));
}

TEST_F(DisplayTest, ShowsOneChannelAsGray) {
  settings.channel = DisplaySettings::Channel::B;
  EXPECT_EQ(shown({1, 0.2f, 0.5f, 1}), glm::ivec3(188));
  settings.channel = DisplaySettings::Channel::A;
  EXPECT_EQ(shown({1, 0.2f, 0.5f, 0.2f}), glm::ivec3(51));  // alpha has no curve
}

TEST_F(DisplayTest, LaysTransparentPixelsOverTheBackground) {
  settings.background = DisplaySettings::Background::White;
  EXPECT_EQ(shown({0, 0, 0, 0}), glm::ivec3(255));
  settings.background = DisplaySettings::Background::Black;
  EXPECT_EQ(shown({0, 0, 0, 0}), glm::ivec3(0));
}

TEST_F(DisplayTest, MarksNanAndInfinity) {
  for (const float bad : {std::nanf(""), INFINITY}) {
    const glm::ivec3 marked = shown({0.5f, bad, 0, 1});
    EXPECT_EQ(marked.g, 0);
    EXPECT_GT(marked.r, 40);  // one of the two stripes
  }
  settings.markInvalid = false;
  EXPECT_EQ(shown({0.5f, INFINITY, 0, 1}).g, 255);
}

TEST_F(DisplayTest, MapsAreThoseOfTheScaleBesideThem) {
  settings.falseColor = true;
  for (int map = 0; map < 4; ++map) {
    settings.map = DisplaySettings::Map(map);
    for (const float value : {0.0f, 0.2f, 0.5f, 0.73f, 1.0f}) {
      const glm::vec3 expected = mapColor(settings.map, value) * 255.0f;
      const glm::ivec3 found = shown({value, value, value, 1});
      const int tolerance = map == 0 ? 12 : 2;  // samples beside a polynomial; rounding
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(float(found[c]), expected[c], float(tolerance)) << map << " at " << value;
    }
  }
}

TEST_F(DisplayTest, AnOffsetLiftsExposedValues) {
  settings.exposureStops = 1;
  settings.offset = 0.25f;
  EXPECT_EQ(shown({0, 0.125f, 0, 1}).g, 188);  // 0.25 + 0.25
  EXPECT_EQ(shownByte(settings, 0.125f), 188);
}

TEST_F(DisplayTest, EveryMeasureOfTheDifferenceIsTheOneItSays) {
  const gpu::Texture a = textureOf({0.75f, 0.75f, 0.75f, 1}),
                     b = textureOf({0.25f, 0.25f, 0.25f, 1});
  settings.map = DisplaySettings::Map::Gray;
  using Difference = DisplaySettings::Difference;
  const std::pair<Difference, float> expected[] = {{Difference::Absolute, 0.5f},
                                                   {Difference::Squared, 0.25f},
                                                   {Difference::Relative, 0.5f / 0.26f},
                                                   {Difference::RelativeSquared, 0.25f / 0.0725f}};
  constexpr float kGain = 0.25f;
  generation = 50;
  for (const auto& [measure, value] : expected) {
    settings.difference = measure;
    ShownPictures pictures{&a, &b, ++generation};
    pictures.difference = kGain;
    EXPECT_NEAR(float(shown(pictures, {30, 30}).g), value * kGain * 255, 1.5f) << int(measure);
  }
  settings.difference = Difference::Signed;
  ShownPictures pictures{&a, &b, ++generation};
  pictures.difference = 2;
  EXPECT_EQ(shown(pictures, {30, 30}), glm::ivec3(255, 143, 46));
}

TEST_F(DisplayTest, ShowsTheSecondPictureRightOfTheSplit) {
  const gpu::Texture a = textureOf({1, 0, 0, 1}), b = textureOf({0, 0, 1, 1});
  const ShownPictures pictures{&a, &b, 1, 40};
  EXPECT_EQ(shown(pictures, {39, 10}), glm::ivec3(255, 0, 0));
  EXPECT_EQ(shown(pictures, {40, 10}), glm::ivec3(0, 0, 255));
}

TEST_F(DisplayTest, ASecondPictureOfAnotherShapeKeepsIt) {
  const gpu::Texture a = textureOf({1, 0, 0, 1});
  const gpu::Texture b = textureOf(Image(16, 8, {0, 0, 1, 1}));  // half as high
  const ShownPictures pictures{&a, &b, 1, 0};
  EXPECT_EQ(shown(pictures, {32, 32}), glm::ivec3(0, 0, 255));
  EXPECT_EQ(shown(pictures, {32, 20}), glm::ivec3(0, 0, 255));
  EXPECT_NE(shown(pictures, {32, 10}), glm::ivec3(0, 0, 255));
  EXPECT_NE(shown(pictures, {32, 54}), glm::ivec3(0, 0, 255));
}

TEST_F(DisplayTest, RowZeroIsTheTopRow) {
  Image image(8, 8, {0, 0, 0, 1});
  for (int x = 0; x < 8; ++x) image.at(x, 0) = {1, 1, 1, 1};
  const gpu::Texture picture = textureOf(image);
  EXPECT_EQ(shown({&picture, nullptr, 1}, {32, 2}), glm::ivec3(255));
  EXPECT_EQ(shown({&picture, nullptr, 1}, {32, 60}), glm::ivec3(0));
}

TEST_F(DisplayTest, ReducedPictureIsTheAverage) {
  Image image(256, 256, {0, 0, 0, 1});
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; x += 2) image.at(x, y) = {1, 1, 1, 1};
  const gpu::Texture picture = textureOf(image);
  PictureView view;
  view.place({0, 0, 64, 64}, {256, 256});
  const gpu::Texture& texture = display.draw({&picture, nullptr, 1}, view, settings);
  EXPECT_NEAR(texture.texel(30, 30).r, 188 / 255.0f, 0.02f);
}

TEST_F(DisplayTest, CoarserPictureIsSmooth) {
  Image image(2, 2, {0, 0, 0, 1});
  image.at(1, 0) = image.at(1, 1) = {1, 1, 1, 1};
  const gpu::Texture picture = textureOf(image);
  // In the middle between black and white, whatever the encoding.
  settings.curve = DisplaySettings::Curve::Gamma;
  settings.gamma = 1;
  EXPECT_NEAR(shown({&picture, nullptr, 1}, {32, 32}).g, 128, 3);
  settings.falseColor = true;
  EXPECT_GT(shown({&picture, nullptr, 1}, {60, 32}).g, 200);
}

TEST_F(DisplayTest, NothingIsDrawnWhenNothingChanged) {
  const gpu::Texture picture = textureOf({0, 1, 0, 1});
  const ShownPictures pictures{&picture, nullptr, 7};
  context().timings().clear();
  context().timings().beginFrame();
  for (int i = 0; i < 3; ++i) shown(pictures, {32, 32});
  context().timings().endFrame();
  context().timings().finish();
  ASSERT_EQ(context().timings().passes().size(), 1u);
  EXPECT_EQ(context().timings().passes()[0].count, 1);
}

}  // namespace
}  // namespace fathom::viewer
