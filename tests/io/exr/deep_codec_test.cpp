// SPDX-License-Identifier: BSD-3-Clause
// The payload coding of deep chunks: round trips at every small size, known bytes, damage.
#include "app/engine/io/exr/deep_codec.h"

namespace fathom::deep_codec {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(std::byte(value));
  return bytes;
}

/// Bytes with runs and noise in them.
Bytes sample(std::size_t count) {
  Bytes bytes(count);
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = i % 50 < 30 ? std::byte(i / 50) : std::byte(state >> 24);
  }
  return bytes;
}

class EveryMethod : public testing::TestWithParam<Method> {};

TEST_P(EveryMethod, RoundTripsEverySmallSize) {
  for (std::size_t count = 0; count < 700; ++count) {
    const Bytes raw = sample(count);
    const Bytes packed = pack(GetParam(), 1, raw);
    Bytes back(count);
    EXPECT_LE(packed.size(), count);
    ASSERT_TRUE(unpack(GetParam(), packed, back)) << count;
    ASSERT_EQ(back, raw) << count;
  }
}

TEST_P(EveryMethod, PaddedTableRoundTrips) {
  const Bytes raw = sample(12);
  const Bytes packed = pack(GetParam(), 1, raw, 64);
  Bytes back(12);
  EXPECT_LE(packed.size(), 64u);
  ASSERT_TRUE(unpack(GetParam(), packed, back, 64));
  EXPECT_EQ(back, raw);
}

TEST_P(EveryMethod, AnotherLengthIsDamage) {
  const Bytes packed = pack(GetParam(), 1, sample(400));
  Bytes shorter(399), longer(401);
  EXPECT_FALSE(unpack(GetParam(), packed, shorter));
  EXPECT_FALSE(unpack(GetParam(), packed, longer));
}

std::string methodName(const testing::TestParamInfo<Method>& info) {
  return info.param == Method::None ? "None" : info.param == Method::Rle ? "Rle" : "Zip";
}
INSTANTIATE_TEST_SUITE_P(Codec, EveryMethod,
                         testing::Values(Method::None, Method::Rle, Method::Zip), methodName);

TEST(Zstd, RoundTripsRunsOfBothWidths) {
  for (std::size_t count = 0; count < 200; ++count) {
    const std::array runs{deep_codec::Run{2, count}, deep_codec::Run{4, count},
                          deep_codec::Run{2, 2 * count}, deep_codec::Run{4, 1},
                          deep_codec::Run{2, 0}};
    const Bytes raw = sample(10 * count + 4);
    const Bytes packed = pack(Method::Zstd, 1, raw, 0, runs);
    Bytes back(raw.size());
    EXPECT_LE(packed.size(), raw.size());
    ASSERT_TRUE(unpack(Method::Zstd, packed, back, 0, runs)) << count;
    ASSERT_EQ(back, raw) << count;
  }
}

TEST(Zstd, DamageIsFound) {
  const std::array runs{deep_codec::Run{2, 300}, deep_codec::Run{4, 300}},
      others{deep_codec::Run{2, 600}, deep_codec::Run{4, 150}};
  const Bytes raw = sample(1800);
  Bytes packed = pack(Method::Zstd, 1, raw, 0, runs), back(raw.size());
  ASSERT_LT(packed.size(), raw.size());
  EXPECT_FALSE(unpack(Method::Zstd, packed, back, 0, others));
  const std::span whole(packed);
  for (std::size_t size = 0; size < packed.size(); size += 5)
    EXPECT_FALSE(unpack(Method::Zstd, whole.first(size), back, 0, runs)) << size;
  for (std::size_t at = 0; at < 24; ++at) {  // the header
    packed[at] ^= std::byte(0x55);
    EXPECT_FALSE(unpack(Method::Zstd, packed, back, 0, runs)) << at;
    packed[at] ^= std::byte(0x55);
  }
  EXPECT_TRUE(unpack(Method::Zstd, packed, back, 0, runs));
}

TEST(Rle, IsThatOfOpenExr) {
  // Runs and literals as in OpenEXR.
  // Split: 8 equal bytes 5 -> 5, then differences of 0 stored as 128.
  EXPECT_EQ(pack(Method::Rle, 0, bytesOf({5, 5, 5, 5, 5, 5, 5, 5})), bytesOf({-1, 5, 6, 128}));
  // Unpacks known bytes.
  Bytes raw(8);
  ASSERT_TRUE(unpack(Method::Rle, bytesOf({-1, 5, 6, 128}), raw));
  EXPECT_EQ(raw, bytesOf({5, 5, 5, 5, 5, 5, 5, 5}));
  // Even bytes come first.
  // Raw 1 2 1 2 1 2: split 1 1 1 2 2 2, delta 1 128 128 129 128 128.
  EXPECT_EQ(pack(Method::Rle, 0, bytesOf({1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2})),
            bytesOf({-1, 1, 6, 128, -1, 129, 6, 128}));
}

TEST(Rle, WhatRunsBeyondTheEndIsDamage) {
  Bytes raw(8);
  for (const Bytes& literalRunOrNoValue : {bytesOf({-5, 1, 2}), bytesOf({100, 1}), bytesOf({7})})
    EXPECT_FALSE(unpack(Method::Rle, literalRunOrNoValue, raw));
}

TEST(Zip, NoiseIsDamage) {
  Bytes raw(800);
  EXPECT_FALSE(unpack(Method::Zip, sample(200), raw));
}

TEST(LargestUnpacked, BoundsWhatPackingCanReach) {
  for (const Method method : {Method::Rle, Method::Zip}) {
    const Bytes zeros(100000, std::byte(0));
    const Bytes packed = pack(method, 1, zeros);
    EXPECT_GE(largestUnpacked(method, packed.size()), zeros.size());
  }
}

}  // namespace
}  // namespace fathom::deep_codec
