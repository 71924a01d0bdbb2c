// SPDX-License-Identifier: BSD-3-Clause
// The thin lens against numbers worked out by hand, the aperture against its area, the views from
// lens points against the blur radius, and what the settings refuse.
#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/focus_pull.h"
#include "app/engine/dof/lens/lens_sampler.h"

namespace fathom::dof {
namespace {

Lens example() {
  Lens lens;  // 50 mm, f/1.4, focus at 5 m, 36 mm, 1280 pixels
  lens.focalLength = 50, lens.fNumber = 1.4, lens.focus = 5, lens.pictureWidth = 1280;
  lens.maxRadius = 64;
  return lens;
}

TEST(Optics, RadiusIsHalfTheCircleOnTheSensor) {
  // The radius of the example in the spec.
  EXPECT_NEAR(example().farRadius(), 6.41, 0.01);
  EXPECT_NEAR(example().cocRadius(1), -25.6, 0.1);
  EXPECT_DOUBLE_EQ(example().cocRadius(5), 0);
  EXPECT_DOUBLE_EQ(example().cocRadius(INFINITY), example().farRadius());
  // Radius is half the circle on the sensor.
  // Diameter on the sensor A |z - S| / z f / (S - f), in pixels.
  const Lens lens = example();
  for (const double z : {0.7, 2.0, 4.9, 7.0, 300.0}) {
    const double S = 5000, zMm = 1000 * z;
    const double c = 50 / 1.4 * std::abs(zMm - S) / zMm * 50 / (S - 50);
    EXPECT_NEAR(std::abs(lens.unclampedRadius(z)), 0.5 * c * 1280 / 36, 1e-9) << z;
  }
  // Background is anything without a place.
  for (const float z : {0.0f, -1.0f, NAN, INFINITY, 2e9f}) EXPECT_TRUE(isBackground(z)) << z;
  EXPECT_FALSE(isBackground(1e9f));
}

TEST(Optics, NearBlurIsCutToTheLargestRadius) {
  Lens lens = example();
  lens.maxRadius = 8;
  EXPECT_DOUBLE_EQ(lens.cocRadius(0.1), -8);
  EXPECT_LT(lens.unclampedRadius(0.1), -300);
}

TEST(Optics, SharpZoneEndsWhereTheRadiusIsAPixel) {
  const Lens lens = example();
  const Lens::Zone zone = lens.sharpZone();
  EXPECT_NEAR(lens.unclampedRadius(zone.nearest), -1, 1e-9);
  EXPECT_NEAR(lens.unclampedRadius(zone.farthest), 1, 1e-9);
}

TEST(Optics, FocusedBeyondTheHyperfocalInfinityIsSharp) {
  Lens lens = example();
  // c_l is the diameter of one pixel, r < 1 allows two: half the hyperfocal distance is enough.
  lens.focus = lens.hyperfocal();
  EXPECT_TRUE(std::isinf(lens.sharpZone().farthest));
  lens.focus = lens.hyperfocal() * 0.4;
  EXPECT_FALSE(std::isinf(lens.sharpZone().farthest));
}

TEST(Optics, FocalLengthZeroFollowsTheFieldOfView) {
  Settings settings{.focalLength = 0};
  EXPECT_NEAR(lensOf(settings, std::numbers::pi / 2, 100, 5).focalLength, 18, 1e-9);
  EXPECT_DOUBLE_EQ(lensOf(settings, 0, 100, 5).focalLength, 50);
  settings.focalLength = 85;
  EXPECT_DOUBLE_EQ(lensOf(settings, std::numbers::pi / 2, 100, 5).focalLength, 85);
}

TEST(Optics, FocusStaysBeyondTheFocalLength) {
  const Settings settings{.focalLength = 50, .focusDistance = 0.01f};
  EXPECT_NEAR(lensOf(settings, 0, 100, 5).focus, 0.0525, 1e-9);
}

TEST(Optics, BladesKeepTheLightOfTheDisc) {
  for (const Blades blades : {Blades::Five, Blades::Six, Blades::Nine}) {
    const Settings settings{.blades = blades, .bladeRotation = 17};
    const Aperture aperture = apertureOf(settings);
    int inside = 0;
    constexpr int kSide = 800;
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        inside += aperture.holds((2 * x + 1.0) / kSide - 1, (2 * y + 1.0) / kSide - 1, false);
    const double k = aperture.circumradius;
    EXPECT_NEAR(4.0 * inside / (kSide * kSide) * k * k, std::numbers::pi, 0.01);
  }
}

TEST(Optics, NearBlurMirrorsAnOddAperture) {
  const Settings settings{.blades = Blades::Five};
  const Aperture aperture = apertureOf(settings);
  EXPECT_NE(aperture.holds(-0.97, 0, false), aperture.holds(0.97, 0, false));
  EXPECT_EQ(aperture.holds(-0.97, 0, false), aperture.holds(0.97, 0, true));
}

TEST(LensPoints, LieInTheAperture) {
  EXPECT_EQ(lensPoints({}, 256, {}, {16, 9}).size(), 256u);
  const Settings settings{.blades = Blades::Six};
  const auto points = lensPoints(apertureOf(settings), 256, {}, {16, 9});
  EXPECT_NEAR(double(points.size()), 256, 8);
  for (const glm::dvec2 p : points) EXPECT_GT(apertureOf(settings).passes(p, false), 0);
}

/// Views that no pixel takes anything from are not drawn; every pixel has as many as another.
TEST(LensPoints, WithSwirlAreThoseThatSomePixelSees) {
  const Settings settings{.swirl = 0.4f};
  const Aperture aperture = apertureOf(settings);
  const glm::ivec2 size(160, 90);
  const ImageFrame frame{{79.5, 44.5}, std::hypot(80, 45)};
  const auto points = lensPoints(aperture, 4096, frame, size);
  EXPECT_LT(points.size(), std::size_t(1.7 * 4096));  // the disc around them has 1.96
  for (const glm::ivec2 pixel : {glm::ivec2(0), glm::ivec2(159, 31), glm::ivec2(53, 89)}) {
    const glm::dvec2 field = (glm::dvec2(pixel) - frame.middle) / frame.corner;
    const auto seen = std::count_if(points.begin(), points.end(), [&](glm::dvec2 p) {
      return aperture.passes(aperture.fromImage(p, field), false) > 0;
    });
    EXPECT_NEAR(double(seen), 4096, 20) << pixel.x << ", " << pixel.y;
  }
}

/// Seen from a lens point, what is in focus stays and anything else moves by its radius.
TEST(LensPoints, MoveThePictureByTheRadius) {
  Camera camera;
  camera.position = {1, 2, 3}, camera.target = {4, 2.5f, -5};
  const glm::ivec2 size(640, 360);
  Lens lens = example();
  lens.pictureWidth = size.x;
  const auto pixelOf = [&](const Camera& c, glm::vec3 p) {
    const glm::vec4 clip = c.projection(float(size.x) / float(size.y)) * c.view() * glm::vec4(p, 1);
    return glm::dvec2((clip.x / clip.w + 1) / 2 * size.x, (1 - clip.y / clip.w) / 2 * size.y);
  };
  const glm::dvec2 point(0.6, -0.35);
  const Camera moved = throughLensPoint(camera, lens, point, size);
  for (const double z : {2.0, 5.0, 20.0}) {
    const glm::vec3 p(glm::inverse(camera.view()) * glm::vec4(0.2, -0.1, -z, 1));
    const glm::dvec2 shift = pixelOf(moved, p) - pixelOf(camera, p);
    EXPECT_NEAR(shift.x, lens.cocRadius(z) * point.x, 2e-3) << z;
    EXPECT_NEAR(shift.y, lens.cocRadius(z) * point.y, 2e-3) << z;
  }
}

TEST(LensFile, SettingsBesideItHaveTheLastWord) {
  for (const char* name : {"petzval", "anamorphic-2x", "six-blades", "soft-focus"}) {
    Settings settings{.fNumber = 8};
    applyLens(sourcePath(fmt::format("assets/lenses/{}.json", name)).string(), settings);
    EXPECT_EQ(settings.fNumber, 8) << name;
    EXPECT_FALSE(settings == Settings()) << name;
  }
}

TEST(LensFile, WhatItDoesNotKnowIsNamed) {
  const TempFolder folder;
  for (const char* text :
       {"[]", "{\"f-numbr\": 2}", "{\"f-number\": -2}", "{\"f-number\": ", "{"}) {
    const std::string file = folder.write("lens.json", text).string();
    Settings settings;
    EXPECT_THAT(messageOf([&] { applyLens(file, settings); }), StartsWith(file + ": ")) << text;
  }
}

TEST(FocusPull, MovesEvenlyInBlur) {
  const FocusPull pull = parsePull("2:6@1-5");
  EXPECT_EQ(pull.frames(), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_DOUBLE_EQ(*pull.focusAt(1), 2);
  EXPECT_DOUBLE_EQ(*pull.focusAt(3), 3);  // 1/3 lies in the middle of 1/2 and 1/6
  EXPECT_DOUBLE_EQ(*pull.focusAt(9), 6);
  EXPECT_FALSE(pull.fNumberAt(3));
  for (const char* wrong : {"2:6", "2:6@5-1", "0:6@1-5", "2@1-5", "x:6@1-5"})
    EXPECT_THROW(parsePull(wrong), UsageError) << wrong;
}

TEST(FocusPull, FramesWithoutAnEndOrGivenTwiceAreRefused) {
  const TempFolder folder;
  EXPECT_THROW(parsePull("2:6@1-2000000000"), Error);
  for (const char* keys : {"[[3000000000, 3], [3000000003, 5]]", "[[1, 2.8], [900000000, 1.4]]",
                           "[[-1e300, 3], [1, 5]]", "[[1, 3], [2, 4], [1, 5]]"}) {
    const std::string file =
        folder.write("pull.json", fmt::format("{{\"f-number\": {}}}", keys)).string();
    EXPECT_THAT(messageOf([&] { parsePull(file); }), StartsWith(file + ": expected ")) << keys;
  }
}

TEST(DofSettings, AreTakenFromWordsUnlessNegative) {
  Settings settings;
  const Describe described = [&](FieldVisitor& field) { describe(settings, field); };
  assign(described, "operator", "slabs");
  assign(described, "max-radius", "64");
  EXPECT_EQ(settings.op, Operator::Slabs);
  EXPECT_EQ(settings.radius(), 64);
  EXPECT_THROW(assign(described, "f-number", "-2"), UsageError);
  EXPECT_THROW(assign(described, "f-number", "0"), UsageError);
  EXPECT_THROW(assign(described, "focus-distance", "-1"), UsageError);
}

}  // namespace
}  // namespace fathom::dof
