// SPDX-License-Identifier: BSD-3-Clause
// Deep images of the host into lists and back, whole or the list of one pixel, with the wall time
// that copying takes.
#pragma once

#include "app/engine/deep/lists/list_arranger.h"
#include "app/engine/deep/lists/list_sorter.h"

#include <vector>

namespace fathom::deep {

class ListTransfer {
 public:
  ListTransfer(ListStore& store, ListArranger& arranger, ListSorter& sorter)
      : store_(store), arranger_(arranger), sorter_(sorter) {}

  /// Fills the layout from an image whose pixel (origin.x, origin.y) is pixel (0, 0) of the
  /// picture. Lists that are not sorted yet are sorted by (Z, ZBack, words).
  void upload(const DeepImage& image, glm::ivec2 origin, const Rect& region, const ListShape& shape,
              FragmentLists& out);
  /// In raster order: `like` gives format and channels; the data window is the region moved by
  /// `origin`.
  DeepImage download(const FragmentLists& lists, glm::ivec2 origin, const DeepImage& like);
  /// The words of one pixel's list, front to back; the pixel is inside the region.
  std::vector<std::uint32_t> readList(const FragmentLists& lists, int x, int y);

  /// Wall time spent on copying to and from the device so far.
  double uploadMs() const { return uploadMs_; }
  double downloadMs() const { return downloadMs_; }

 private:
  void uploadWords(const DeepImage& image, const Rect& part,
                   const std::vector<std::uint32_t>& offsets);

  ListStore& store_;
  ListArranger& arranger_;
  ListSorter& sorter_;
  FragmentLists plain_;  // linearized, on the way to RIA
  double uploadMs_ = 0, downloadMs_ = 0;
};

}  // namespace fathom::deep
