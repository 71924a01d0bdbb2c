// SPDX-License-Identifier: BSD-3-Clause
// Sizes of lists in each layout, and cutting a region that is too large for the device.
#include "app/engine/deep/lists/fragment_lists.h"

namespace fathom::deep {

std::uint64_t ListShape::elementsFor(std::uint64_t fragments, std::uint32_t slotCount) const {
  if (layout == Layout::LinkedList) return fragments + 1;
  if (layout == Layout::AlignedBlocks)
    return fragments + std::uint64_t(slotCount / DEEP_GROUP) * std::uint64_t(block - 1);
  return fragments;
}

std::int64_t FragmentLists::usedBytes() const {
  const std::int64_t fragment = shape.words() * 4 + (isLinked(shape) ? 4 : 0);
  std::int64_t tables = 4 * std::int64_t(slotCount);
  if (hasMinimums(shape))
    tables += 4 * std::int64_t(slotCount) + 4 * std::int64_t(slotCount / DEEP_GROUP);
  if (isRanked(shape)) tables += 12 * std::int64_t(slotCount);
  const std::uint64_t stored = isLinked(shape) ? fragmentCount : elements();
  return std::int64_t(stored) * fragment + tables;
}

std::int64_t FragmentLists::allocatedBytes() const {
  if (!isLinked(shape)) return usedBytes();
  return std::int64_t(capacity) * (shape.words() * 4 + 4) + 8 * std::int64_t(slotCount);
}

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

shared::Params paramsOf(const FragmentLists& lists) {
  shared::Params p{};
  p.width = std::uint32_t(lists.region.width);
  p.height = std::uint32_t(lists.region.height);
  p.paddedWidth = paddedWidth(lists.region);
  p.slotCount = lists.slotCount;
  p.originX = std::uint32_t(lists.region.x);
  p.originY = std::uint32_t(lists.region.y);
  p.capacity = lists.capacity;
  return p;
}

gpu::DispatchCost walkCost(const FragmentLists& lists, const gpu::Each& each) {
  const FragmentLists* const one[] = {&lists};
  return walkCost(one, each);
}

gpu::DispatchCost walkCost(std::span<const FragmentLists* const> lists, const gpu::Each& each) {
  constexpr double kSlot = 30;  // operations: which pixel it is, and where its list lies
  double fragments = 0;
  for (const FragmentLists* list : lists) fragments += list->fragmentCount;
  return {kSlot * lists[0]->slotCount + each.operations * fragments,
          each.dependentReads * longestOf(lists)};
}

std::uint32_t longestOf(std::span<const FragmentLists* const> lists) {
  std::uint64_t sum = 0;
  for (const FragmentLists* list : lists) sum += list->longest;
  return std::uint32_t(std::min<std::uint64_t>(sum, UINT32_MAX));
}

}  // namespace fathom::deep
