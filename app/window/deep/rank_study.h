// SPDX-License-Identifier: BSD-3-Clause
// What compositing over ranks would send and show, as values: of what each rank brings to a region
// its bytes on the wire, its picture alone, the picture of all, and that of lists that were thinned
// before they are sent; and IceT's way, flat pictures put over each other, held against all
// fragments. No device, no MPI.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/deep/distribute/rank_share.h"

#include <array>
#include <vector>

namespace fathom::deep {

/// Bytes are those of direct send: rows that a rank merges itself are not sent.
struct RankNumbers {
  std::uint64_t fragments = 0, thinnedFragments = 0;
  std::uint64_t rawBytes = 0;  // a count per pixel, and fragments as they lie in memory
  std::uint64_t sentBytes = 0, thinnedBytes = 0;
  std::uint64_t flatBytes = 0;  // active pixels in 4 bytes, their runs in 8
  double depth = 0;             // sum of Z over all fragments
  void add(const RankNumbers& other);
};

/// A region, or all of the picture.
struct RankStudy {
  Rect area;  // of the picture
  std::vector<RankNumbers> ranks;
  std::vector<Image> alone;  // per rank; none of these of images with other channels
  Image deep, thinned;
};

/// `packed`: per rank. `thin`: fragments per pixel of each input that are sent when they are
/// thinned.
RankStudy studyRegion(const Rect& area, const std::vector<std::vector<PackedInput>>& packed,
                      int thin);
/// Puts the rows of a region in their place; `whole` has its size.
void addRegion(RankStudy& whole, RankStudy&& region);

/// A way of compositing: what all ranks send, and how far its picture is off.
struct WayOfCompositing {
  std::uint64_t bytes = 0;
  double mean = 0, largest = 0;  // of the differences of R, G, B and A from all fragments
  Image difference;              // absolute, opaque; empty for all fragments themselves
};
/// Flat, all fragments, thinned. Flat: the pictures of the ranks over each other, that of the least
/// mean depth in front, as IceT's ordered compositing has one order for the whole picture.
std::array<WayOfCompositing, 3> compare(const RankStudy& whole);

/// Lists as they were packed; not of Indexed images.
DeepImage unpacked(const PackedRows& packed);

}  // namespace fathom::deep
