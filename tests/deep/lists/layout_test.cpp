// SPDX-License-Identifier: BSD-3-Clause
// Where each fragment lies: the buffers of an uploaded image against the address formulas of the
// layouts, and what share of the fragments they interleave.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/lab/deep/bench.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

constexpr Rect kUneven{0, 0, 13, 9};

/// The lists of an image in slots, and the formulas over their counts.
class Slotted {
 public:
  Slotted(const DeepImage& image, const ListShape& shape) : shape_(shape) {
    counts.resize(slotCountOf(image.dataWindow));
    lists.resize(counts.size());
    for (int y = 0; y < image.dataWindow.height; ++y)
      for (int x = 0; x < image.dataWindow.width; ++x) {
        const std::uint32_t slot = slotOf(image.dataWindow, shape.slots, x, y);
        lists[slot] = image.list(x, y);
        counts[slot] = lists[slot].size() / std::size_t(image.stride());
      }
  }
  /// Archer 2018 for BIA, with groups moved for ABIA; sums over the group for RIA.
  std::uint64_t addressOf(std::size_t p, std::uint64_t k) const {
    const std::size_t g = p / 32, r = p % 32;
    const auto block = std::uint64_t(shape_.block);
    const auto first = counts.begin() + std::ptrdiff_t(g * 32);
    const std::uint64_t group = std::accumulate(counts.begin(), first, std::uint64_t(0));
    if (shape_.layout == Layout::RankInterleaved) {
      const std::uint64_t x = k - k % block;
      std::uint64_t address = group + k % block;
      for (std::size_t j = 0; j < 32; ++j) {
        const std::uint64_t other = first[std::ptrdiff_t(j)];
        address += std::min(other, x);
        const bool longer = other > counts[p] || (other == counts[p] && j < r);
        if (longer) address += std::min(other - x, block);
      }
      return address;
    }
    const std::uint64_t least = *std::min_element(first, first + 32) / block * block;
    std::uint64_t base = group;
    if (shape_.layout == Layout::AlignedBlocks)
      base = (group + g * (block - 1) + block - 1) / block * block;
    if (k < least) return base + k / block * 32 * block + r * block + k % block;
    const std::uint64_t before =
        std::accumulate(first, first + std::ptrdiff_t(r), std::uint64_t(0)) - r * least;
    return base + 32 * least + before + (k - least);
  }

  std::vector<std::uint64_t> counts;
  std::vector<std::span<const std::uint32_t>> lists;

 private:
  ListShape shape_;
};

class DeepLayout : public test::GpuTest {};

TEST_F(DeepLayout, FragmentsLieWhereTheFormulaSays) {
  // Groups of every kind: equal lists, empty ones among them, all different.
  const auto counts = [](int x, int y) {
    return x < 4 ? 9U : std::uint32_t(x < 8 ? (x * 5 + y * 3) % 11 : x * y % 3 * 7);
  };
  const DeepImage image = test::randomImage({.window = kUneven, .counts = counts});
  Pipeline pipeline(context());
  for (const Layout layout :
       {Layout::BlockInterleaved, Layout::AlignedBlocks, Layout::RankInterleaved})
    for (const int block : {1, 4, 8}) {
      const ListShape shape{layout, block, Slots::Tile2x8, image.format};
      FragmentLists lists;
      uploadLists(pipeline, image, {0, 0}, kUneven, shape, lists);
      const std::vector<std::uint32_t> data =
          lists.data.download(0, std::size_t(lists.capacity) * 4);
      const Slotted slotted(image, shape);
      for (std::size_t p = 0; p < slotted.counts.size(); ++p)
        for (std::uint64_t k = 0; k < slotted.counts[p]; ++k) {
          const std::uint64_t at = slotted.addressOf(p, k);
          ASSERT_LT(at, lists.capacity);
          ASSERT_TRUE(std::equal(&data[at * 4], &data[at * 4] + 4, &slotted.lists[p][k * 4]))
              << "layout " << int(layout) << ", block " << block << ", slot " << p << ", k " << k;
        }
    }
}

TEST_F(DeepLayout, AlignedBlocksNeedRoomForLessThanABlockPerGroup) {
  const ListShape aligned{Layout::AlignedBlocks, 8, Slots::Raster, FragmentFormat::Half};
  EXPECT_EQ(aligned.elementsFor(100, 64), 100U + 2 * 7);
  EXPECT_EQ(linearized(aligned).elementsFor(100, 64), 100U);
}

TEST_F(DeepLayout, OneShortListKeepsBlocksApartButNotRanks) {
  // A group of 31 lists of 6 and one of 3.
  const DeepImage image = test::randomImage(
      {.window = {0, 0, 4, 8}, .counts = [](int x, int y) { return x + y == 0 ? 3U : 6U; }});
  const auto percent = [&](Layout layout, int block) {
    return interleavedPercent(std::span(&image, 1), image.dataWindow,
                              {layout, block, Slots::Tile2x8, image.format});
  };
  EXPECT_EQ(percent(Layout::Linearized, 4), 0);
  EXPECT_EQ(percent(Layout::Interleaved, 4), 100.0 * 96 / 189);
  EXPECT_EQ(percent(Layout::BlockInterleaved, 4), 0);
  EXPECT_EQ(percent(Layout::AlignedBlocks, 4), 0);
  EXPECT_EQ(percent(Layout::RankInterleaved, 4), 100.0 * 124 / 189);
  EXPECT_EQ(percent(Layout::RankInterleaved, 1), 100);
}

}  // namespace
}  // namespace fathom::deep
