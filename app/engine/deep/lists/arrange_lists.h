// SPDX-License-Identifier: BSD-3-Clause
// How fragments come into a layout and out of it. From the host or from passes, stored list after
// list in raster order, they are put where the layout wants them and sorted by depth; lists of any
// layout are brought back into raster order, for the host, as one pixel's list, or counted:
// fragments per pixel (depth complexity), also painted as a heat map. The store sums up the wall
// time that copying takes.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"

namespace fathom::deep {

/// Sorts every list by (Z, ZBack, words), by the store's sortMethod. `summary` is the result of
/// ListStore::summarize() for the lists.
void sortLists(ListStore& store, FragmentLists& lists, const shared::Summary& summary);

/// Fragments outside the layouts (list_source.glsl).
struct RasterSource {
  gpu::BufferRange offsets, fragments;
  bool fromSlots = false;  // a list per slot, not per pixel
  bool sorted = true;
};
/// Puts them into `out`, which is prepared and knows how many they are. The summary when lists are
/// not sorted, or the layout needs it.
std::optional<shared::Summary> arrangeLists(ListStore& store, const RasterSource& source,
                                            FragmentLists& out);
/// Arranges a linearized image whose lists are sorted; the layout and block of `out.shape` count.
void arrangeLists(ListStore& store, const FragmentLists& linear, FragmentLists& out);

/// Each list in one piece, front to back.
void linearizeLists(ListStore& store, const FragmentLists& lists, FragmentLists& out);
/// Fragments in raster order in scratch().rasterWords, front to back, at scratch().rasterOffsets.
void toRaster(ListStore& store, const FragmentLists& lists);
/// Fragments per pixel, summed over the inputs, in scratch().raster, uint[height][width].
void countRaster(ListStore& store, std::span<FragmentLists* const> inputs);

/// Classes of the heat map: upper bound (inclusive) and color; the last has no bound.
struct HeatClass {
  std::uint32_t max;
  glm::vec3 color;  // linear
};
const std::array<HeatClass, 10>& heatClasses();

/// Colors the region of `picture` by the number of fragments in all inputs.
void drawHeatMap(ListStore& store, std::span<FragmentLists* const> inputs,
                 const gpu::Texture& picture);
/// Fragments per pixel of the region, raster order, summed over the inputs.
std::vector<std::uint32_t> countPixels(ListStore& store, std::span<FragmentLists* const> inputs);

/// Fills the layout from an image whose pixel (origin.x, origin.y) is pixel (0, 0) of the picture.
/// Lists that are not sorted yet are sorted by (Z, ZBack, words).
void uploadLists(ListStore& store, const DeepImage& image, glm::ivec2 origin, const Rect& region,
                 const ListShape& shape, FragmentLists& out);
/// In raster order: `like` gives format and channels; the data window is the region moved by
/// `origin`.
DeepImage downloadLists(ListStore& store, const FragmentLists& lists, glm::ivec2 origin,
                        const DeepImage& like);
/// The words of one pixel's list, front to back; the pixel is inside the region.
std::vector<std::uint32_t> readList(ListStore& store, const FragmentLists& lists, int x, int y);

}  // namespace fathom::deep
