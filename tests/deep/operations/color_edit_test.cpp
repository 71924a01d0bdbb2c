// SPDX-License-Identifier: BSD-3-Clause
// Grade, expressions and colors of pictures: by closed forms, and flattened beside the picture.
#include "app/engine/deep/operations/color_edit.h"

#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/id_filter.h"
#include "tests/deep/operations/literal_tidy.h"

namespace fathom::deep {
namespace {

const Rect kGraded{3, -2, 6, 5};

Image flat(const DeepImage& image) {
  return flattenEdited(withEdits(std::span(&image, 1)), {}, image.dataWindow);
}

TEST(Grade, IsTheFormulaOnColorThatIsNotPremultiplied) {
  Grade grade;
  grade.black = {0.1, 0, 0}, grade.white = {0.9, 1, 2}, grade.lift = {0, 0.2, 0};
  grade.gain = {1, 1, 3}, grade.multiply = {1.5, 1, 1}, grade.offset = {0, 0, -0.25};
  grade.gamma = {2, 1, 1};
  const DeepImage before = test::pointImage(kGraded, 31);
  DeepImage after = before;
  ColorRepairs repairs;
  gradeFragments(after, grade, repairs);
  EXPECT_EQ(repairs.total(), 0u);
  for (std::size_t i = 0; i < before.fragmentCount(); ++i) {
    const Fragment b = decodeFragment(before, i), a = decodeFragment(after, i);
    if (!(b.a > 0)) continue;
    const double r = 1.5 / 0.8 * (b.r / b.a - 0.1), g = 0.8 * b.g / b.a + 0.2,
                 bl = 1.5 * b.b / b.a - 0.25;
    EXPECT_NEAR(a.r, b.a * (r > 0 ? std::sqrt(r) : r), 2e-6);
    EXPECT_NEAR(a.g, b.a * g, 2e-6);
    EXPECT_NEAR(a.b, b.a * bl, 2e-6);
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.z, b.z);
  }
  EXPECT_NE(messageOf([&] {
              Grade other;
              other.channels = "specular.*";
              gradeFragments(after, other, repairs);
            }),
            "no error");
}

TEST(Grade, AddsNoLightToWhatHasNoAlpha) {
  const Rect pixel{0, 0, 1, 1};
  DeepImage image = test::floatImage(
      pixel, {{{6e-7f, 0, 0, 0, 1, 1}, {0.5f, 0, 0, 0.5f, 2, 2}, {0.25f, 0, 0, 0.5f, 3, 3}}});
  Grade grade;
  grade.multiply = {2, 2, 2}, grade.lift = {0.1, 0, 0}, grade.offset = {0.1, 0, 0};
  ColorRepairs repairs;
  const double light = decodeFragment(image, 0).r;
  gradeFragments(image, grade, repairs);
  EXPECT_NEAR(decodeFragment(image, 0).r, light * 2 * 0.9, 1e-12);
  // Of one color c and coverage a: a (1.8 c + 0.2).
  EXPECT_NEAR(flat(image).at(0, 0).r, 1.8 * (0.5 + 0.5 * 0.25) + 0.2 * 0.75, 1e-5);
}

TEST(Expression, RightSidesSeeTheFragmentAsItWas) {
  const DeepImage before = test::pointImage(kGraded, 31);
  DeepImage after = before;
  ColorRepairs repairs;
  evaluateFragments(after, {"R = G + x; G = R * n / count; B = y <= 0 ? 0.5 : B", nullptr},
                    repairs);
  std::size_t i = 0;
  for (std::size_t p = 0; p < before.pixelCount(); ++p)
    for (std::size_t n = 0; i < before.fragmentOffsets[p + 1]; ++i, ++n) {
      const Fragment b = decodeFragment(before, i), a = decodeFragment(after, i);
      const int x = kGraded.x + int(p) % kGraded.width, y = kGraded.y + int(p) / kGraded.width;
      const auto count = double(before.fragmentOffsets[p + 1] - before.fragmentOffsets[p]);
      EXPECT_FLOAT_EQ(a.r, float(double(b.g) + x));
      EXPECT_FLOAT_EQ(a.g, float(b.r * double(n) / count));
      EXPECT_FLOAT_EQ(a.b, y <= 0 ? 0.5f : b.b);
    }
}

TEST(Expression, NewDepthsAreSortedAndWhatNoFileHoldsIsSetRight) {
  const DeepImage before = test::pointImage(kGraded, 31);
  DeepImage after = before;
  ColorRepairs repairs;
  evaluateFragments(after, {"Z = 100 - Z; A = A * 4 - 1; R = 1 / 0 - 1 / 0", nullptr}, repairs);
  EXPECT_TRUE(test::isSorted(after));
  EXPECT_EQ(repairs.notFinite, before.fragmentCount());
  EXPECT_GT(repairs.alphaOutside, 0u);
  double sumBefore = 0, sumAfter = 0;
  for (std::size_t i = 0; i < before.fragmentCount(); ++i) {
    const Fragment a = decodeFragment(after, i);
    EXPECT_EQ(a.r, 0);
    EXPECT_TRUE(a.a >= 0 && a.a <= 1);
    EXPECT_GE(a.zBack, a.z);
    sumBefore += 100 - decodeFragment(before, i).z, sumAfter += a.z;
  }
  EXPECT_NEAR(sumBefore, sumAfter, 1e-2);
}

TEST(Expression, WhatIsNoneIsRefusedWithWhatWasExpected) {
  DeepImage image = test::pointImage(kGraded, 31);
  ColorRepairs repairs;
  for (const char* text : {"", "R", "R = ", "R == 2", "R = (1", "R = Q", "Q = R", "R = 1, 2",
                           "R = G = B", "R = \"a\"", "A.B = 1"})
    EXPECT_THROW(evaluateFragments(image, {text, nullptr}, repairs), UsageError) << text;
  EXPECT_THAT(messageOf([&] {
                evaluateFragments(image, {"Q = 1", nullptr}, repairs);
              }),
              HasSubstr("A, B, G, R, Z"));
}

Picture pictureFor(const DeepImage& image, bool hasAlpha) {
  Picture picture;
  picture.dataWindow = picture.displayWindow = image.dataWindow;
  picture.image = flat(image);
  picture.hasAlpha = hasAlpha;
  for (int y = 0; y < kGraded.height; ++y)
    for (int x = 0; x < kGraded.width; ++x) {
      glm::vec4& c = picture.image.at(x, y);
      c = glm::vec4(c.g * 1.5f, c.r * 0.25f, c.b + 0.1f * c.a, c.a);
    }
  return picture;
}

void expectPicture(const Image& found, const Image& expected, bool alpha) {
  for (int y = 0; y < kGraded.height; ++y)
    for (int x = 0; x < kGraded.width; ++x)
      for (int c = 0; c < (alpha ? 4 : 3); ++c)
        EXPECT_NEAR(found.at(x, y)[c], expected.at(x, y)[c], 1e-5) << x << " " << y << " " << c;
}

TEST(Recolor, FlattenedItIsThePicture) {
  for (const bool hasAlpha : {true, false}) {
    const DeepImage before = test::pointImage(kGraded, 31);
    DeepImage after = before;
    const Picture picture = pictureFor(before, hasAlpha);
    RecolorReport report;
    recolor(after, picture, RecolorAlpha::Keep, report);
    expectPicture(flat(after), picture.image, true);
    EXPECT_EQ(report.pixelsOutside + report.pixelsLost, 0u);
    EXPECT_EQ(after.fragmentOffsets, before.fragmentOffsets);
  }
}

TEST(Recolor, TargetAlphaIsThePicturesWhateverTheFragmentsHad) {
  const DeepImage before = test::pointImage(kGraded, 31);
  const Image covered = flat(before);
  Picture picture = pictureFor(before, true);
  for (int y = 0; y < kGraded.height; ++y)
    for (int x = 0; x < kGraded.width; ++x)
      picture.image.at(x, y) *=
          (x + y) % 2 ? 0.5f : std::min(1.0f, 0.9f / std::max(0.1f, covered.at(x, y).a));
  DeepImage after = before;
  RecolorReport report;
  recolor(after, picture, RecolorAlpha::Target, report);
  Image expected = picture.image;
  expectPicture(flat(after), expected, true);
}

TEST(Recolor, WhereThePictureIsNotIsBlackAndCounted) {
  const DeepImage before = test::pointImage(kGraded, 31);
  Picture picture = pictureFor(before, true);
  picture.dataWindow.x += 2;
  DeepImage after = before;
  RecolorReport report;
  recolor(after, picture, RecolorAlpha::Keep, report);
  EXPECT_GT(report.pixelsOutside, 0u);
  EXPECT_EQ(flat(after).at(0, 2).r, 0);
}

}  // namespace
}  // namespace fathom::deep
