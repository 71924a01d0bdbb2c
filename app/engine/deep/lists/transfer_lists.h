// SPDX-License-Identifier: BSD-3-Clause
// Deep images of the host into lists and back: whole, the list of one pixel, or packed for another
// process. The store sums up the wall time that copying takes.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/operations/packed_rows.h"

namespace fathom::deep {

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

/// What is there and no more, in the form of operations/packed_rows.h: the lists' region, in image
/// coordinates by `origin`; not of Indexed images. Throws DoesNotFit.
PackedRows packLists(ListStore& store, const FragmentLists& lists, glm::ivec2 origin,
                     bool hasZBack);

}  // namespace fathom::deep
