// SPDX-License-Identifier: BSD-3-Clause
// Packed rows: what went in comes out bit for bit in every format, the GPU packs as the host does,
// and no damaged stream is taken for a sound one or asks for memory.
#include "app/engine/deep/operations/packed_rows.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/io/deflate.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

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
  return {rows, image.format, image.hasZBack, image.channels, 3, image.fragmentCount()};
}

/// The fragments of a decoded image are those of the same rows of the whole one.
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

TEST(PackedRows, ComeOutBitForBitInEveryFormatWhateverRowsAreTaken) {
  for (const FragmentFormat format :
       {FragmentFormat::Half, FragmentFormat::Rgba8, FragmentFormat::Indexed}) {
    const DeepImage image = imageOf(format);
    const PackedRows packed = packRows(image, kRegion);
    for (const auto& [first, last] : {std::pair{0, 11}, {0, 1}, {3, 7}, {10, 11}})
      for (const int level : {0, 1}) {
        const std::vector<std::byte> stream = encodeRows(packed, first, last, {2, level});
        const Rect rows{kRegion.x, kRegion.y + first, kRegion.width, last - first};
        const DecodedRows decoded = decodeRows(stream, limitsOf(image, rows));
        EXPECT_EQ(decoded.input, 2u);
        EXPECT_TRUE(decoded.image.dataWindow == rows);
        expectRows(decoded.image, image);
      }
    EXPECT_TRUE(encodeRows(packed, 4, 4, {}).empty());
  }
}

TEST(PackedRows, OfPointsNeedNoZBackAndLessThanTheFragmentsInMemory) {
  DeepImage image = imageOf(FragmentFormat::Half);
  for (std::size_t w = 0; w < image.words.size(); w += 4) image.words[w + 3] = image.words[w + 2];
  image.hasZBack = false;
  const std::vector<std::byte> stream = encodeRows(packRows(image, kRegion), 0, 11, {0, 0});
  EXPECT_LT(stream.size(), image.words.size() * 4 * 4 / 5);
  expectRows(decodeRows(stream, limitsOf(image, kRegion)).image, image);
}

TEST(PackedRows, SurfacesAreForecastFromPixelToPixel) {
  for (const auto& [format, hasZBack, most] : {std::tuple{FragmentFormat::Half, false, 3.0},
                                               {FragmentFormat::Half, true, 4.0},
                                               {FragmentFormat::Rgba8, false, 3.0}}) {
    const DeepImage image = test::sheetsImage(kRegion, format, hasZBack);
    const PackedRows packed = packRows(image, kRegion);
    for (const auto& [first, last] : {std::pair{0, 11}, {3, 7}}) {
      const std::vector<std::byte> stream = encodeRows(packed, first, last, {});
      const Rect rows{kRegion.x, kRegion.y + first, kRegion.width, last - first};
      const DecodedRows decoded = decodeRows(stream, limitsOf(image, rows));
      expectRows(decoded.image, image);
      if (first == 0) {
        EXPECT_LT(double(stream.size()), most * double(image.fragmentCount()));
      }
    }
  }
}

TEST(PackedRows, ADamagedStreamIsRefused) {
  for (const DeepImage& image :
       {imageOf(FragmentFormat::Half), test::sheetsImage(kRegion, FragmentFormat::Half, true)}) {
    const std::vector<std::byte> sound = encodeRows(packRows(image, kRegion), 0, 11, {});
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
    constexpr std::size_t kHeader = 60;
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

class DevicePack : public test::GpuTest {};

TEST_F(DevicePack, IsThatOfTheHost) {
  Pipeline pipeline(context());
  for (const Layout layout : {Layout::BlockInterleaved, Layout::LinkedList})
    for (const FragmentFormat format : {FragmentFormat::Half, FragmentFormat::Rgba8}) {
      const DeepImage image = imageOf(format, 5);
      Settings settings;
      settings.layout = layout;
      FragmentLists lists;
      const Rect region{0, 0, kRegion.width, kRegion.height};
      uploadLists(pipeline, image, {kRegion.x, kRegion.y}, region, shapeOf(settings, format),
                  lists);
      const PackedRows device = packLists(pipeline, lists, {kRegion.x, kRegion.y}, image.hasZBack);
      const PackedRows host = packRows(image, kRegion);
      EXPECT_TRUE(device.region == host.region);
      EXPECT_EQ(device.runs, host.runs);
      EXPECT_EQ(device.counts, host.counts);
      for (const auto& [first, last] : {std::pair{0, 11}, {4, 9}, {10, 11}})
        EXPECT_EQ(encodeRows(device, first, last, {}), encodeRows(host, first, last, {}));
    }
}

TEST_F(DevicePack, NothingIsPackedAsNothing) {
  Pipeline pipeline(context());
  DeepImage image;
  FragmentLists lists;
  uploadLists(pipeline, image, {0, 0}, {0, 0, 20, 9}, shapeOf({}, FragmentFormat::Half), lists);
  const PackedRows packed = packLists(pipeline, lists, {0, 0}, false);
  EXPECT_EQ(packed.fragmentCount(), 0u);
  EXPECT_TRUE(encodeRows(packed, 0, 9, {}).empty());
}

}  // namespace
}  // namespace fathom::deep
