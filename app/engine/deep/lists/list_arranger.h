// SPDX-License-Identifier: BSD-3-Clause
// Between raster order and the layouts: fragments stored list after list are put where a layout
// wants them, and lists of any layout are brought back into raster order.
#pragma once

#include "app/engine/deep/lists/list_store.h"

#include <optional>
#include <span>

namespace fathom::deep {

class ListArranger {
 public:
  explicit ListArranger(ListStore& store) : store_(store) {}

  /// Fragments outside the layouts (list_source.glsl) into `out`, which is prepared and knows how
  /// many they are. The summary when lists are not sorted, or the layout needs it.
  struct Source {
    gpu::BufferRange offsets, fragments;
    bool fromSlots = false;  // a list per slot, not per pixel
    bool sorted = true;
  };
  std::optional<shared::Summary> arrange(const Source& source, FragmentLists& out);
  /// The same from a linearized image whose lists are sorted; the layout and block of `out.shape`
  /// count.
  void arrange(const FragmentLists& linear, FragmentLists& out);

  /// Each list in one piece, front to back.
  void linearize(const FragmentLists& lists, FragmentLists& out);
  /// Fragments in raster order in scratch().rasterWords, front to back, at scratch().rasterOffsets.
  void toRaster(const FragmentLists& lists);
  /// Fragments per pixel, summed over the inputs, in scratch().raster, uint[height][width].
  void countRaster(std::span<FragmentLists* const> inputs);

 private:
  void countRaster(const FragmentLists& lists);

  ListStore& store_;
};

}  // namespace fathom::deep
