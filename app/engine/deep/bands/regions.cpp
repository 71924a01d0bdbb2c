// SPDX-License-Identifier: BSD-3-Clause
// Where a region is cut, and how images of its parts are put together again: of the host alone,
// which a library without a device shares.
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/reference.h"

namespace fathom::deep {

std::vector<Rect> cut(const Rect& region, const gpu::DoesNotFit& reason) {
  const bool rows = region.height > 8;
  const int step = rows ? 8 : 4, extent = rows ? region.height : region.width;
  const int blocks = (extent + step - 1) / step;
  if (blocks < 2) throw Error(reason.what());
  const int pieces = std::min(reason.pieces(), blocks);
  std::vector<Rect> parts;
  for (int i = 0; i < pieces; ++i) {
    const auto edge = [&](int piece) {
      return std::min(extent, int((std::int64_t(blocks) * piece + pieces - 1) / pieces) * step);
    };
    const int first = edge(i), length = edge(i + 1) - first;
    parts.push_back(rows ? Rect{region.x, region.y + first, region.width, length}
                         : Rect{region.x + first, region.y, length, region.height});
  }
  return parts;
}

DeepImage mergePlain(const std::vector<DeepImage>& images) {
  DeepImage merged = reference::merge(images);
  if (merged.format == FragmentFormat::Indexed) gather(images, merged);
  return merged;
}

DeepImage joinRegions(DeepImage first, DeepImage second) {
  if (first.format == FragmentFormat::Indexed)
    for (std::size_t i = 0; i < second.words.size(); i += 4)
      second.words[i] += std::uint32_t(first.fragmentCount());
  std::vector<DeepImage> regions;
  regions.push_back(std::move(first));
  regions.push_back(std::move(second));
  return mergePlain(regions);
}

}  // namespace fathom::deep
