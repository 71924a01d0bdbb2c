// SPDX-License-Identifier: BSD-3-Clause
// Streams of rows: what went in comes out bit for bit in every format, and no damaged stream is
// taken for a sound one or asks for memory.
#include "app/engine/deep/distribute/row_stream.h"
#include "app/engine/io/deflate.h"
#include "tests/deep/deep_images.h"

#include <random>

namespace fathom::deep {
namespace {

using test::randomImage;

constexpr Rect kRegion{-3, 5, 37, 11};

DeepImage imageOf(FragmentFormat format, std::uint32_t seed = 1) {
  DeepImage image = randomImage(
      {.window = kRegion, .format = format, .seed = seed, .counts = test::boundaryCounts(seed)});
  image.hasZBack = format != FragmentFormat::Rgba8;
  if (format != FragmentFormat::Indexed) return image;
  image.channels = {{"A", ChannelType::Half, {}}, {"id", ChannelType::Uint, {}}};
  std::mt19937 random(seed);
  for (DeepChannel& channel : image.channels) {
    channel.values.resize(image.fragmentCount() * bytesPerValue(channel.type));
    for (std::byte& value : channel.values) value = std::byte(random());
  }
  return image;
}

StreamLimits limitsOf(const DeepImage& image, const Rect& rows) {
  return {rows, emptyLike(image, {}), 3, image.fragmentCount()};
}

/// The fragments of a part are those of the whole image there.
void expectRows(const DeepImage& found, const DeepImage& whole) {
  for (int y = found.dataWindow.y; y < found.dataWindow.bottom(); ++y)
    for (int x = found.dataWindow.x; x < found.dataWindow.right(); ++x) {
      const auto a = found.list(x, y), b = whole.list(x, y);
      ASSERT_EQ(a.size(), b.size()) << x << "," << y;
      for (std::size_t w = 0; w < a.size(); ++w) {
        if (whole.format != FragmentFormat::Indexed || w % 4 >= 2) {
          ASSERT_EQ(a[w], b[w]) << x << "," << y;
        } else if (w % 4 == 0) {
          for (std::size_t c = 0; c < whole.channels.size(); ++c) {
            const std::size_t n = bytesPerValue(whole.channels[c].type);
            ASSERT_EQ(std::memcmp(&found.channels[c].values[a[w] * n],
                                  &whole.channels[c].values[b[w] * n], n),
                      0);
          }
        }
      }
    }
}

TEST(RowStream, ComesOutBitForBitInEveryFormatWhateverRowsAreTaken) {
  for (const FragmentFormat format :
       {FragmentFormat::Half, FragmentFormat::Rgba8, FragmentFormat::Indexed}) {
    const DeepImage image = imageOf(format);
    for (const auto& [first, last] : {std::pair{0, 11}, {0, 1}, {3, 7}, {10, 11}})
      for (const int level : {0, 1}) {
        const Rect rows{kRegion.x, kRegion.y + first, kRegion.width, last - first};
        const std::vector<std::byte> stream = encodeRows(image, rows, {2, level});
        const DecodedRows decoded = decodeRows(stream, limitsOf(image, rows));
        EXPECT_EQ(decoded.input, 2u);
        EXPECT_TRUE(decoded.image.dataWindow == rows);
        expectRows(decoded.image, image);
      }
    EXPECT_TRUE(encodeRows(image, {kRegion.x, kRegion.y + 4, kRegion.width, 0}, {}).empty());
  }
}

TEST(RowStream, HasTheSmallestWindow) {
  for (const FragmentFormat format : {FragmentFormat::Half, FragmentFormat::Indexed}) {
    DeepImage whole = imageOf(format);
    for (std::size_t i = 0; format == FragmentFormat::Indexed && i < whole.fragmentCount(); ++i)
      whole.words[4 * i] += 7;
    const Rect inner{2, 8, 9, 4};
    const DeepImage part = trimmed(whole, inner, 7);
    for (std::size_t i = 0; format == FragmentFormat::Indexed && i < whole.fragmentCount(); ++i)
      whole.words[4 * i] -= 7;
    EXPECT_TRUE(intersect(part.dataWindow, inner) == part.dataWindow);
    expectRows(part, whole);
    std::size_t inside = 0;
    for (int y = inner.y; y < inner.bottom(); ++y)
      for (int x = inner.x; x < inner.right(); ++x) inside += whole.list(x, y).size() / 4;
    EXPECT_EQ(part.fragmentCount(), inside);
    const DecodedRows decoded = decodeRows(encodeRows(part, kRegion, {}), limitsOf(whole, kRegion));
    EXPECT_EQ(decoded.image.fragmentCount(), inside);
    expectRows(trimmed(decoded.image, inner), part);
  }
  DeepImage nothing = emptyLike(imageOf(FragmentFormat::Half), {0, 0, 20, 9});
  nothing.fragmentOffsets.assign(20 * 9 + 1, 0);
  EXPECT_TRUE(trimmed(nothing, nothing.dataWindow).dataWindow.empty());
  EXPECT_TRUE(encodeRows(nothing, nothing.dataWindow, {}).empty());
}

TEST(RowStream, OfSurfacesTakesAFifthOfTheirMemory) {
  for (const auto& [format, hasZBack, most] : {std::tuple{FragmentFormat::Half, false, 3.0},
                                               {FragmentFormat::Half, true, 4.0},
                                               {FragmentFormat::Rgba8, false, 3.0}}) {
    const DeepImage image = test::sheetsImage(kRegion, format, hasZBack);
    const std::vector<std::byte> stream = encodeRows(image, kRegion, {});
    expectRows(decodeRows(stream, limitsOf(image, kRegion)).image, image);
    EXPECT_LT(double(stream.size()), most * double(image.fragmentCount()));
  }
}

TEST(RowStream, ThatIsDamagedIsRefused) {
  for (const int level : {0, 1}) {
    const DeepImage image = imageOf(FragmentFormat::Half);
    const std::vector<std::byte> sound = encodeRows(image, kRegion, {0, level});
    const StreamLimits limits = limitsOf(image, kRegion);
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
      std::vector<std::byte> damaged = sound;
      if (i % 3 == 0)
        damaged.resize(random() % sound.size());
      else
        damaged[random() % sound.size()] ^= std::byte(1u << random() % 8);
      EXPECT_THROW(decodeRows(damaged, limits), Error) << i;
    }
    // The checksum made to fit: the numbers themselves are checked.
    constexpr std::size_t kHeader = 44;
    for (int i = 0; i < 300; ++i) {
      std::vector<std::byte> damaged = sound;
      damaged[random() % sound.size()] ^= std::byte(1u << random() % 8);
      const std::uint32_t sum = crc32(std::span(damaged).subspan(kHeader));
      std::memcpy(damaged.data() + kHeader - 4, &sum, 4);
      try {
        const DecodedRows decoded = decodeRows(damaged, limits);
        EXPECT_EQ(decoded.image.fragmentOffsets.size(), std::size_t(kRegion.area()) + 1);
        EXPECT_EQ(decoded.image.words.size(), decoded.image.fragmentCount() * 4);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace fathom::deep
