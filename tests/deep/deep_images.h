// SPDX-License-Identifier: BSD-3-Clause
// Small deep images for the tests of the deep technique: written by hand, or filled by a seed with
// the values that merging and sorting find hardest.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/settings/settings.h"

namespace fathom::test {

constexpr deep::Layout kLayouts[] = {deep::Layout::LinkedList,      deep::Layout::Linearized,
                                     deep::Layout::Interleaved,     deep::Layout::BlockInterleaved,
                                     deep::Layout::RankInterleaved, deep::Layout::AlignedBlocks};
constexpr deep::Method kMethods[] = {deep::Method::Stepwise, deep::Method::RegisterBlock};
constexpr Rect kPixel{0, 0, 1, 1};
/// "RIA": for tests that run once per layout.
std::string layoutName(const testing::TestParamInfo<deep::Layout>& layout);

/// Half RGBA, point depth; colors premultiplied. Lists in raster order, one per pixel of `window`.
DeepImage deepImage(const Rect& window, const std::vector<std::vector<Fragment>>& lists);

/// How many fragments pixel (x, y) gets; x and y count from the window's corner.
using CountOf = std::function<std::uint32_t(int x, int y)>;
/// 0, 1, 7, 8, 9, 31, 32, 33 and numbers between, scattered over the picture.
CountOf boundaryCounts(std::uint32_t seed);
CountOf constantCount(std::uint32_t count);

enum class Colors {
  AnyBits,       // moved, never decoded: NaN and infinity too
  Premultiplied  // multiples of 1/16, at most alpha, which is 0 and 1 at times
};

/// Depths come from a few values, so that many are equal: negative, -0, +0, +inf among them.
/// Volumes (Half and Indexed) end where they start or behind. Indexed fragments count from
/// `firstIndex`; their channels have no values.
struct RandomImage {
  Rect window;
  FragmentFormat format = FragmentFormat::Half;
  std::uint32_t seed = 1;
  CountOf counts = boundaryCounts(1);
  Colors colors = Colors::AnyBits;
  bool sorted = true;
  std::uint32_t firstIndex = 0;
};
DeepImage randomImage(const RandomImage& wanted);

/// Six slanted sheets of changing color that pass through each other, each with holes: what a
/// neighbor says much about. Half or Rgba8.
DeepImage sheetsImage(const Rect& window, FragmentFormat format, bool hasZBack);

/// What a merge of them has to be.
DeepImage referenceMerged(std::vector<DeepImage> images);

/// Every list ascends by (Z, ZBack).
bool isSorted(const DeepImage& image);
/// It does, no two fragments share a place and no point lies inside a volume.
bool isTidy(const DeepImage& image);

/// Same window, same counts, same words.
::testing::AssertionResult sameWords(const DeepImage& found, const DeepImage& expected);

}  // namespace fathom::test
