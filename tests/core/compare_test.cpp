// SPDX-License-Identifier: BSD-3-Clause
// Error measures against values worked out by hand, and SSIM against its definition summed up
// directly (a two-dimensional window per pixel, variances about the mean, in double); FLIP against
// its authors' program.
#include "app/engine/core/compare.h"

#include "tests/support/synthetic_deep.h"

namespace fathom {
namespace {

Image flat(float value, int width = 16, int height = 16) {
  return Image(width, height, {value, value, value, 1});
}

/// A ramp, and the same with every seventh diagonal at half its value.
Image ramp(bool bumped) {
  Image image(24, 20);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 24; ++x)
      for (int c = 0; c < 3; ++c) {
        const float value = float((x * (c + 1) + y * 3) % 32) / 32.0f;
        image.at(x, y)[c] = bumped && (x + y) % 7 == 0 ? value * 0.5f : value;
      }
  return image;
}

TEST(Compare, EqualPicturesAreInfinitelyAlike) {
  const PictureDifference d = compare(ramp(false), ramp(false));
  EXPECT_EQ(d.psnr, std::numeric_limits<double>::infinity());
  EXPECT_EQ(d.mae, 0);
  EXPECT_EQ(d.max, 0);
  EXPECT_DOUBLE_EQ(d.ssim, 1);
}

TEST(Compare, ConstantDifferenceHasKnownMeasures) {
  const PictureDifference d = compare(flat(0.5f), flat(0.25f));
  EXPECT_DOUBLE_EQ(d.mae, 0.25);
  EXPECT_DOUBLE_EQ(d.max, 0.25);
  EXPECT_NEAR(d.psnr, 10 * std::log10(16.0), 1e-9);
  // Without variance only the luminance term is left.
  EXPECT_NEAR(d.ssim, (2 * 0.125 + 1e-4) / (0.3125 + 1e-4), 1e-12);
}

/// At the scales that are means, too.
TEST(Compare, MsSsimIsOfClippedColors) {
  Image over = flat(0, 32, 32), clipped = over;
  for (int i = 0; i < 32 * 32; i += 3)
    over.pixels[i] = glm::vec4(1.5f), clipped.pixels[i] = glm::vec4(1);
  EXPECT_DOUBLE_EQ(msSsim(over, clipped), 1);
}

TEST(Compare, MsSsimTakesLuminanceFromItsLastScaleAlone) {
  EXPECT_DOUBLE_EQ(msSsim(ramp(false), ramp(false)), 1);
  EXPECT_LT(msSsim(ramp(false), ramp(true)), 0.95);
  const double luminance = (2 * 0.125 + 1e-4) / (0.3125 + 1e-4);
  EXPECT_NEAR(msSsim(flat(0.5f), flat(0.25f)), luminance, 1e-12);  // one scale
  EXPECT_NEAR(msSsim(flat(0.5f, 32, 32), flat(0.25f, 32, 32)),
              std::pow(luminance, 0.2856 / (0.0448 + 0.2856)), 1e-12);
}

TEST(Compare, ValuesAreClippedFirst) { EXPECT_EQ(compare(flat(1), flat(7)).max, 0); }

TEST(Compare, AlphaCountsApart) {
  Image other = flat(0.5f);
  other.at(3, 3).w = 0.5f;
  const PictureDifference d = compare(flat(0.5f), other);
  EXPECT_EQ(d.max, 0);
  EXPECT_EQ(d.alphaMax, 0.5);
  EXPECT_DOUBLE_EQ(d.alphaMae, 0.5 / 256);
}

TEST(Compare, OneNanIsAFullDifferenceTwoAreNone) {
  Image a = flat(0.5f), b = flat(0.5f);
  a.at(0, 0).x = NAN;
  EXPECT_EQ(compare(a, b).max, 1);
  b.at(0, 0).x = NAN;
  EXPECT_EQ(compare(a, b).max, 0);
}

TEST(Compare, SsimEqualsItsDefinition) {
  EXPECT_NEAR(compare(ramp(false), ramp(true)).ssim, 0.8870785025, 1e-6);
}

TEST(Compare, PicturesSmallerThanTheWindowAreOneWindow) {
  EXPECT_NEAR(compare(flat(0.5f, 3, 2), flat(0.25f, 3, 2)).ssim,
              (2 * 0.125 + 1e-4) / (0.3125 + 1e-4), 1e-12);
}

TEST(DifferencePicture, LargestDifferenceIsWhite) {
  Image b = flat(0.5f);
  b.at(1, 2).x = 0.75f;
  b.at(2, 2).x = 0.625f;
  const Image picture = differencePicture(flat(0.5f), b);
  EXPECT_EQ(picture.at(1, 2).x, 1.0f);
  EXPECT_EQ(picture.at(2, 2).x, 0.5f);
  EXPECT_EQ(picture.at(0, 0), glm::vec4(0, 0, 0, 1));
}

TEST(DifferencePicture, GainMultiplies) {
  EXPECT_EQ(differencePicture(flat(0.5f), flat(0.25f), 2).at(0, 0).x, 0.5f);
}

class CompareDeep : public testing::Test {
 protected:
  DeepImage image_ = test::sphereField({12, 8, 6, 5, false});
  /// The first pixel with at least two fragments.
  std::size_t pixel() const {
    std::size_t p = 0;
    while (image_.fragmentOffsets[p + 1] - image_.fragmentOffsets[p] < 2) ++p;
    return p;
  }
};

TEST_F(CompareDeep, EqualImagesDifferNowhere) {
  const DeepDifference d = compareDeep(image_, image_);
  EXPECT_TRUE(d.equal());
  EXPECT_FALSE(d.first);
}

TEST_F(CompareDeep, OneChangedDepthIsFound) {
  DeepImage other = image_;
  const std::size_t p = pixel();
  std::uint32_t* words = other.words.data() + 4 * other.fragmentOffsets[p];
  const float z = std::bit_cast<float>(words[2]);
  words[2] = words[3] = std::bit_cast<std::uint32_t>(z + 0.5f);
  const DeepDifference d = compareDeep(image_, other);
  EXPECT_EQ(d.fragmentsThatDiffer, 1u);
  EXPECT_EQ(d.pixelsWithOtherCount, 0u);
  EXPECT_NEAR(d.maxDepth, 0.5, 1e-4);
  EXPECT_EQ(d.maxColor, 0);
  ASSERT_TRUE(d.first);
  EXPECT_EQ(d.first->x, int(p % 12));
  EXPECT_EQ(d.first->y, int(p / 12));
}

TEST_F(CompareDeep, AMissingFragmentIsAnotherCount) {
  DeepImage other = image_;
  const std::size_t p = pixel();
  const auto last = std::ptrdiff_t(4 * (other.fragmentOffsets[p + 1] - 1));
  other.words.erase(other.words.begin() + last, other.words.begin() + last + 4);
  for (std::size_t i = p + 1; i < other.fragmentOffsets.size(); ++i) --other.fragmentOffsets[i];
  const DeepDifference d = compareDeep(image_, other);
  EXPECT_EQ(d.pixelsWithOtherCount, 1u);
  EXPECT_EQ(d.fragmentsThatDiffer, 1u);
}

TEST_F(CompareDeep, OtherChannelsAreNamed) {
  DeepImage other = image_;
  other.channels.pop_back();
  other.channels.push_back({"Z", ChannelType::Half, {}});
  const DeepDifference d = compareDeep(image_, other);
  EXPECT_FALSE(d.equal());
  EXPECT_THAT(d.channels, HasSubstr("Z (float) / A (half)"));
}

TEST_F(CompareDeep, FormatsWithTheSameValuesAreEqual) {
  DeepImage other = image_;
  makeIndexed(other);
  EXPECT_TRUE(compareDeep(image_, other).equal());
}

/// The expected mean is what NVIDIA's own program finds (FLIP.h 1.6 of NVlabs/flip, C++).
TEST(Flip, IsThatOfItsAuthors) {
  Image a(96, 64), b(96, 64);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x) {
      const auto checker = [&](int at) { return (at / 8 + y / 8) % 2 ? 0.75f : 0.25f; };
      a.at(x, y) = {float(x) / 95, float(y) / 63, checker(x), 1};
      b.at(x, y) = {float(x) / 95 * 0.9f, float(y) / 63, checker(x + 2), 1};
      if ((x - 48) * (x - 48) + (y - 32) * (y - 32) < 100) b.at(x, y).r = 1, b.at(x, y).g = 0.5f;
    }
  EXPECT_NEAR(flipError(a, b), 0.2386671, 2e-6);  // of floats in another order
  EXPECT_EQ(flipError(a, a), 0);
}

}  // namespace
}  // namespace fathom
