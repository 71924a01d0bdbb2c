// SPDX-License-Identifier: BSD-3-Clause
// Fragments as they are decoded, sorted and compared; and channels unified before a merge and
// gathered after one.
#include "app/engine/core/deep_image.h"
#include "tests/support/synthetic_deep.h"

#include <half.h>

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

TEST(DeepImage, ListIsThatOfItsPixel) {
  // List is empty outside the data window.
  EXPECT_TRUE(halfImage().list(2, 4).empty());
  EXPECT_TRUE(halfImage().list(3, 5).empty());
  // List holds the words of its pixel.
  const DeepImage image = halfImage();
  ASSERT_EQ(image.list(4, 4).size(), 4u);
  EXPECT_EQ(image.list(4, 4)[2], bits(-1));
}

TEST(DeepImage, DecodesWhateverChannelsThereAre) {
  // Decodes half words.
  const Fragment f = decodeFragment(halfImage(), 0);
  EXPECT_EQ(f.r, 1.0f);
  EXPECT_EQ(f.g, 0.5f);
  EXPECT_EQ(f.b, 0.0f);
  EXPECT_EQ(f.a, 1.0f);
  EXPECT_EQ(f.z, 5.0f);
  // Decodes indexed through the index word.
  EXPECT_EQ(decodeFragment(indexedImage({"A", "R"}), 0).r, 0.75f);
  // Missing alpha reads one where there is color.
  EXPECT_EQ(decodeFragment(indexedImage({"G"}), 0).a, 1.0f);
  // Missing alpha reads zero without color.
  EXPECT_EQ(decodeFragment(indexedImage({"id"}), 0).a, 0.0f);
  // Colored alpha reads as its mean.
  EXPECT_EQ(decodeFragment(indexedImage({"AB", "AG", "AR"}), 1).a, 0.25f);
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
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 3};
  sortLists(image);
  EXPECT_EQ(decodeFragment(image, 0).z, -1.0f);
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

TEST(DepthKey, OrdersAsTheFloatsDo) {
  const float ascending[] = {-INFINITY, -2.0f, -1e-30f, 0.0f, 1e-30f, 3.0f, INFINITY};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(depthKey(bits(ascending[i - 1])), depthKey(bits(ascending[i])));
  // Minus zero equals zero.
  EXPECT_EQ(depthKey(bits(-0.0f)), depthKey(bits(0.0f)));
}

TEST(SameFragments, SeesOneChangedBitAndNoEmptyBorders) {
  // Ignores empty borders.
  const DeepImage image = halfImage();
  DeepImage wider = image;
  wider.dataWindow = {2, 4, 4, 1};
  wider.fragmentOffsets = {0, 0, 2, 3, 3};
  EXPECT_TRUE(sameFragments(image, wider));
  // Sees one changed bit.
  DeepImage other = halfImage();
  other.words[8] ^= 1u;
  EXPECT_FALSE(sameFragments(halfImage(), other));
}

TEST(SameFragments, SeesAMovedFragmentAndAnotherType) {
  DeepImage moved = halfImage(), other = halfImage();
  moved.fragmentOffsets = {0, 1, 3};
  EXPECT_FALSE(sameFragments(halfImage(), moved));
  other.channels.back().type = ChannelType::Half;
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

DeepImage sphereImage(bool withZBack = false) { return test::sphereField({7, 5, 5, 2, withZBack}); }

/// One pixel with one Half fragment of the named half channels at depth 2; words hold 0.5 in each.
DeepImage oneFragment(const std::vector<std::string>& names) {
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 1};
  image.words = {0x38003800u, 0x38003800u, bits(2), bits(2)};
  for (const std::string& name : names) image.channels.push_back({name, ChannelType::Half, {}});
  image.channels.push_back({"Z", ChannelType::Float, {}});
  return image;
}

/// One pixel with the values of one channel `name` beside Z = 1, 2, 3, ...
DeepImage values(const std::string& name, ChannelType type, const std::vector<std::uint32_t>& raw) {
  DeepImage image;
  image.format = FragmentFormat::Indexed;
  image.dataWindow = image.displayWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, raw.size()};
  DeepChannel z{"Z", ChannelType::Float, std::vector<std::byte>(4 * raw.size())};
  DeepChannel channel{name, type, std::vector<std::byte>(bytesPerValue(type) * raw.size())};
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const float depth = float(i + 1);
    std::memcpy(z.values.data() + 4 * i, &depth, 4);
    std::memcpy(channel.values.data() + bytesPerValue(type) * i, &raw[i], bytesPerValue(type));
    image.words.insert(image.words.end(), {std::uint32_t(i), 0, bits(depth), bits(depth)});
  }
  image.channels = {z, channel};
  if (name < "Z") std::swap(image.channels[0], image.channels[1]);
  return image;
}

std::uint32_t valueAt(const DeepImage& image, const std::string& name, std::size_t i) {
  for (const DeepChannel& channel : image.channels) {
    std::uint32_t raw = 0;
    const std::size_t bytes = bytesPerValue(channel.type);
    std::memcpy(&raw, channel.values.data() + bytes * image.words[4 * i], bytes);
    if (channel.name == name) return raw;
  }
  return 0xdeadbeef;
}

TEST(MakeIndexed, KeepsWhatAFragmentDecodesTo) {
  const DeepImage before = sphereImage(true);
  DeepImage after = before;
  makeIndexed(after);
  EXPECT_EQ(after.format, FragmentFormat::Indexed);
  for (std::size_t i = 0; i < before.fragmentCount(); ++i) {
    const Fragment a = decodeFragment(before, i), b = decodeFragment(after, i);
    EXPECT_EQ(a.r, b.r);
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.z, b.z);
    EXPECT_EQ(a.zBack, b.zBack);
  }
}

TEST(Unify, EqualHalfImagesStayAsTheyAre) {
  std::vector<DeepImage> images{sphereImage(), sphereImage()};
  unify(images);
  EXPECT_TRUE(sameFragments(images[0], sphereImage()));
}

TEST(Unify, ZBackOfOneIsGivenToAll) {
  std::vector<DeepImage> images{sphereImage(), sphereImage(true)};
  unify(images);
  EXPECT_TRUE(images[0].hasZBack);
  EXPECT_EQ(images[0].format, FragmentFormat::Half);
  EXPECT_EQ(images[0].channels.size(), images[1].channels.size());
  EXPECT_EQ(images[0].words[2], images[0].words[3]);
}

TEST(Unify, ColorWithoutAlphaBecomesOpaque) {
  std::vector<DeepImage> images{oneFragment({"B", "G", "R"}), oneFragment({"A", "B", "G", "R"})};
  unify(images);
  EXPECT_EQ(decodeFragment(images[0], 0).a, 1.0f);
  EXPECT_EQ(decodeFragment(images[1], 0).a, 0.5f);
}

TEST(Unify, ChannelsUniteInAlphabeticalOrder) {
  std::vector<DeepImage> images{oneFragment({"A", "R"}), oneFragment({"A", "G"})};
  unify(images);
  ASSERT_EQ(images[0].channels.size(), 4u);
  EXPECT_EQ(images[0].channels[1].name, "G");
  EXPECT_EQ(images[1].channels[2].name, "R");
}

TEST(Unify, AnIdInOneMakesAllIndexed) {
  std::vector<DeepImage> images{sphereImage(), values("id", ChannelType::Uint, {7, 8})};
  unify(images);
  EXPECT_EQ(images[0].format, FragmentFormat::Indexed);
  EXPECT_EQ(valueAt(images[0], "id", 3), 0u);
  EXPECT_EQ(valueAt(images[1], "id", 1), 8u);
  EXPECT_EQ(valueAt(images[1], "R", 1), 0u);
}

TEST(Unify, HalfBesideFloatBecomesFloatExactly) {
  std::vector<DeepImage> images{values("N.x", ChannelType::Half, {half(0.1f).bits()}),
                                values("N.x", ChannelType::Float, {bits(0.1f)})};
  unify(images);
  EXPECT_EQ(valueAt(images[0], "N.x", 0), bits(float(half(0.1f))));
  EXPECT_EQ(valueAt(images[1], "N.x", 0), bits(0.1f));
}

TEST(Unify, IdBesideNumberIsRefused) {
  std::vector<DeepImage> images{values("id", ChannelType::Uint, {1}),
                                values("id", ChannelType::Float, {bits(1)})};
  EXPECT_EQ(messageOf([&] {
              unify(images, {"a.exr", "b.exr"});
            }),
            "b.exr: channel \"id\": expected uint as in a.exr, found float");
}

TEST(Unify, Rgba8AloneStaysRgba8) {
  DeepImage image;
  image.format = FragmentFormat::Rgba8;
  std::vector<DeepImage> images{image, image};
  unify(images);
  EXPECT_EQ(images[0].format, FragmentFormat::Rgba8);
}

TEST(Unify, Rgba8BesideHalfBecomesPremultipliedHalf) {
  DeepImage image;
  image.format = FragmentFormat::Rgba8;
  image.dataWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 1};
  image.words = {0x330000FFu, bits(3)};
  std::vector<DeepImage> images{image, sphereImage()};
  unify(images);
  EXPECT_EQ(images[0].format, FragmentFormat::Half);
  EXPECT_EQ(decodeFragment(images[0], 0).r, float(half(0.2f)));
}

TEST(Gather, ValuesFollowTheMergedOrder) {
  const std::vector<DeepImage> inputs{values("id", ChannelType::Uint, {10, 11}),
                                      values("id", ChannelType::Uint, {20, 21, 22})};
  DeepImage merged;
  merged.format = FragmentFormat::Indexed;
  merged.dataWindow = {0, 0, 1, 1};
  merged.fragmentOffsets = {0, 5};
  for (const std::uint32_t index : {2u, 0u, 4u, 1u, 3u})
    merged.words.insert(merged.words.end(), {index, 0, bits(1), bits(1)});
  gather(inputs, merged);
  const std::uint32_t expected[] = {20, 10, 22, 11, 21};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(valueAt(merged, "id", i), expected[i]);
    EXPECT_EQ(merged.words[4 * i], i);
  }
}

TEST(Gather, SkipsInputsWithoutFragments) {
  const std::vector<DeepImage> inputs{
      values("id", ChannelType::Uint, {}), values("id", ChannelType::Uint, {5}),
      values("id", ChannelType::Uint, {}), values("id", ChannelType::Uint, {6})};
  DeepImage merged;
  merged.format = FragmentFormat::Indexed;
  merged.dataWindow = {0, 0, 1, 1};
  merged.fragmentOffsets = {0, 2};
  merged.words = {1, 0, bits(1), bits(1), 0, 0, bits(2), bits(2)};
  gather(inputs, merged);
  EXPECT_EQ(valueAt(merged, "id", 0), 6u);
  EXPECT_EQ(valueAt(merged, "id", 1), 5u);
}

TEST(Gather, IndexOutOfRangeIsRefused) {
  const std::vector<DeepImage> inputs{values("id", ChannelType::Uint, {5})};
  DeepImage merged = inputs[0];
  merged.words[0] = 1;
  EXPECT_THROW(gather(inputs, merged), Error);
}

}  // namespace
}  // namespace fathom
