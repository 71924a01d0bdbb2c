// SPDX-License-Identifier: BSD-3-Clause
// Deep images as values: windows, lists, order, equality, decoding.
#include "app/engine/core/deep_image.h"

namespace fathom {
namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// A 2x1 image at (3, 4) with two fragments in the first pixel and one in the second.
DeepImage halfImage() {
  DeepImage image;
  image.dataWindow = {3, 4, 2, 1};
  image.fragmentOffsets = {0, 2, 3};
  // (R 1, G 0.5, B 0, A 1) at z 5, (R 0, G 0, B 2, A 0.5) at z 2 .. 3, (all 0) at z -1.
  image.words = {0x38003C00u, 0x3C000000u, bits(5), bits(5), 0u,       0x38004000u,
                 bits(2),     bits(3),     0u,      0u,      bits(-1), bits(-1)};
  image.channels = {{"A", ChannelType::Half, {}},
                    {"B", ChannelType::Half, {}},
                    {"G", ChannelType::Half, {}},
                    {"R", ChannelType::Half, {}},
                    {"Z", ChannelType::Float, {}}};
  return image;
}

/// One pixel, two fragments whose channel values are listed out of order.
DeepImage indexedImage(std::vector<std::string> names) {
  DeepImage image;
  image.format = FragmentFormat::Indexed;
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 2};
  image.words = {1, 0, bits(1), bits(1), 0, 0, bits(2), bits(2)};
  for (std::string& name : names) {
    DeepChannel channel{name, ChannelType::Float, std::vector<std::byte>(8)};
    const float values[] = {0.25f, 0.75f};
    std::memcpy(channel.values.data(), values, 8);
    image.channels.push_back(channel);
  }
  return image;
}

TEST(DeepImage, ListIsEmptyOutsideTheDataWindow) {
  EXPECT_TRUE(halfImage().list(2, 4).empty());
  EXPECT_TRUE(halfImage().list(3, 5).empty());
}

TEST(DeepImage, ListHoldsTheWordsOfItsPixel) {
  const DeepImage image = halfImage();
  ASSERT_EQ(image.list(4, 4).size(), 4u);
  EXPECT_EQ(image.list(4, 4)[2], bits(-1));
}

TEST(DeepImage, DecodesHalfWords) {
  const Fragment f = decodeFragment(halfImage(), 0);
  EXPECT_EQ(f.r, 1.0f);
  EXPECT_EQ(f.g, 0.5f);
  EXPECT_EQ(f.b, 0.0f);
  EXPECT_EQ(f.a, 1.0f);
  EXPECT_EQ(f.z, 5.0f);
}

TEST(DeepImage, DecodesRgba8AsPremultiplied) {
  DeepImage image;
  image.format = FragmentFormat::Rgba8;
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 1};
  image.words = {0x330000FFu, bits(7)};  // red 255, alpha 51
  const Fragment f = decodeFragment(image, 0);
  EXPECT_FLOAT_EQ(f.r, 0.2f);
  EXPECT_FLOAT_EQ(f.a, 0.2f);
  EXPECT_EQ(f.zBack, 7.0f);
}

TEST(DeepImage, DecodesIndexedThroughTheIndexWord) {
  EXPECT_EQ(decodeFragment(indexedImage({"A", "R"}), 0).r, 0.75f);
}

TEST(DeepImage, MissingAlphaReadsOneWhereThereIsColor) {
  EXPECT_EQ(decodeFragment(indexedImage({"G"}), 0).a, 1.0f);
}

TEST(DeepImage, MissingAlphaReadsZeroWithoutColor) {
  EXPECT_EQ(decodeFragment(indexedImage({"id"}), 0).a, 0.0f);
}

TEST(DeepImage, ColoredAlphaReadsAsItsMean) {
  EXPECT_EQ(decodeFragment(indexedImage({"AB", "AG", "AR"}), 1).a, 0.25f);
}

TEST(DeepImage, LuminanceReadsAsGray) {
  const Fragment f = decodeFragment(indexedImage({"A", "Y"}), 0);
  EXPECT_EQ(f.r, 0.75f);
  EXPECT_EQ(f.b, 0.75f);
}

TEST(SortLists, OrdersByDepth) {
  DeepImage image = halfImage();
  image.sorted = false;
  sortLists(image);
  EXPECT_EQ(decodeFragment(image, 0).z, 2.0f);
  EXPECT_EQ(decodeFragment(image, 1).z, 5.0f);
  EXPECT_TRUE(image.sorted);
}

TEST(SortLists, OrdersEqualDepthByBackDepthThenWords) {
  DeepImage image = halfImage();
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 3};
  image.words = {7, 0, bits(1), bits(2), 9, 0, bits(1), bits(1), 8, 0, bits(1), bits(1)};
  sortLists(image);
  EXPECT_EQ(image.words[0], 8u);
  EXPECT_EQ(image.words[4], 9u);
  EXPECT_EQ(image.words[8], 7u);
}

TEST(SortLists, NegativeDepthComesFirst) {
  DeepImage image = halfImage();
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 3};
  sortLists(image);
  EXPECT_EQ(decodeFragment(image, 0).z, -1.0f);
}

TEST(DepthKey, OrdersAsTheFloatsDo) {
  const float ascending[] = {-INFINITY, -2.0f, -1e-30f, 0.0f, 1e-30f, 3.0f, INFINITY};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(depthKey(bits(ascending[i - 1])), depthKey(bits(ascending[i])));
}

TEST(DepthKey, MinusZeroEqualsZero) { EXPECT_EQ(depthKey(bits(-0.0f)), depthKey(bits(0.0f))); }

TEST(SameFragments, IgnoresEmptyBorders) {
  const DeepImage image = halfImage();
  DeepImage wider = image;
  wider.dataWindow = {2, 4, 4, 1};
  wider.fragmentOffsets = {0, 0, 2, 3, 3};
  EXPECT_TRUE(sameFragments(image, wider));
}

TEST(SameFragments, SeesOneChangedBit) {
  DeepImage other = halfImage();
  other.words[8] ^= 1u;
  EXPECT_FALSE(sameFragments(halfImage(), other));
}

TEST(SameFragments, SeesAMovedFragment) {
  DeepImage other = halfImage();
  other.fragmentOffsets = {0, 1, 3};
  EXPECT_FALSE(sameFragments(halfImage(), other));
}

TEST(SameFragments, ComparesIndexedValuesNotIndices) {
  const DeepImage image = indexedImage({"A"});
  DeepImage other = image;
  std::swap(other.words[0], other.words[4]);
  EXPECT_FALSE(sameFragments(image, other));
  std::byte* values = other.channels[0].values.data();
  std::swap_ranges(values, values + 4, values + 4);
  EXPECT_TRUE(sameFragments(image, other));
}

TEST(SameFragments, ChannelTypesMustAgree) {
  DeepImage other = halfImage();
  other.channels.back().type = ChannelType::Half;
  EXPECT_FALSE(sameFragments(halfImage(), other));
}

}  // namespace
}  // namespace fathom
