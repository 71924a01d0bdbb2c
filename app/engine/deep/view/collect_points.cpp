// SPDX-License-Identifier: BSD-3-Clause
// Counting points per list, scanning, and writing each to its place in the plan.
#include "app/engine/deep/view/collect_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace fathom::deep {
namespace {

shared::CollectParams collectParams(const FragmentLists& lists, const Rect& region) {
  const Rect both = intersect(lists.region, region);
  shared::CollectParams p{};
  if (!both.empty()) {
    p.left = std::uint32_t(both.x - lists.region.x), p.top = std::uint32_t(both.y - lists.region.y);
    p.right = p.left + std::uint32_t(both.width), p.bottom = p.top + std::uint32_t(both.height);
  }
  // Unsigned sums wrap: a region that begins inside of the lists' is subtracted.
  p.originX = std::uint32_t(lists.region.x - region.x);
  p.originY = std::uint32_t(lists.region.y - region.y);
  return p;
}

std::uint32_t packedColor(const Fragment& f) {
  std::uint32_t packed = 0;
  const float alpha = f.a > 0 ? f.a : 1;
  const float values[] = {std::sqrt(std::max(f.r / alpha, 0.0f)),
                          std::sqrt(std::max(f.g / alpha, 0.0f)),
                          std::sqrt(std::max(f.b / alpha, 0.0f)), f.a};
  for (int i = 0; i < 4; ++i)
    packed |= std::uint32_t(std::lround(std::clamp(values[i], 0.0f, 1.0f) * 255)) << (8 * i);
  return packed;
}

/// Leaves in scratch().order where the points of each list begin; returns how many there are.
std::uint64_t scanPoints(Pipeline& pipeline, const FragmentLists& lists, const Rect& region) {
  ListStore& store = pipeline.store;
  gpu::Buffer<std::uint32_t>& offsets = store.scratch().order;
  store.ensure(offsets, "points of each list", std::uint64_t(lists.slotCount) + 1);
  gpu::Pass& count = store.pass("count points", "view/count_points.comp", lists.shape);
  bind(count, lists)
      .storage(DEEP_BIND_ORDER, offsets)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_COLLECT, collectParams(lists, region));
  gpu::dispatch(count, lists.slotCount, walkCost(lists, {4, 1}));
  gpu::barrier(gpu::Reader::Storage);  // scan
  store.scanner().exclusive(offsets, offsets, lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // collect; the host
  return offsets.download(lists.slotCount, 1).front();
}

}  // namespace

std::uint64_t countPoints(Pipeline& pipeline, const FragmentLists& lists, const Rect& region) {
  return scanPoints(pipeline, lists, region);
}

std::uint64_t collectPoints(Pipeline& pipeline, const FragmentLists& lists, int source,
                            std::uint64_t base, PointCloud& cloud) {
  const std::uint64_t added = scanPoints(pipeline, lists, cloud.region);
  if (added == 0) return 0;
  shared::CollectParams p = collectParams(lists, cloud.region);
  p.base = std::uint32_t(base);
  p.every = cloud.plan.every;
  p.points = cloud.plan.points;
  p.source = std::uint32_t(source);
  ListStore& store = pipeline.store;
  gpu::Pass& collect = store.pass("collect points", "view/collect_points.comp", lists.shape);
  bind(collect, lists)
      .storage(DEEP_BIND_ORDER, store.scratch().order)
      .storage(DEEP_BIND_SCRATCH, cloud.words)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_COLLECT, p);
  gpu::dispatch(collect, lists.slotCount, walkCost(lists, {30, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // drawing; a sample for the host
  return added;
}

std::uint64_t fragmentsIn(const DeepImage& image, const Rect& window) {
  const Rect both = intersect(image.dataWindow, window);
  std::uint64_t count = 0;
  for (int y = both.y; y < both.bottom(); ++y)
    if (both.width > 0)
      count += image.fragmentOffsets[image.pixelIndex(both.right() - 1, y) + 1] -
               image.fragmentOffsets[image.pixelIndex(both.x, y)];
  return count;
}

std::uint64_t collectPoints(const DeepImage& image, std::uint32_t firstIndex, glm::ivec2 origin,
                            int source, std::uint64_t base, const PointCloud& cloud,
                            std::span<std::uint32_t> words) {
  const auto stride = std::size_t(image.stride());
  const Rect& r = cloud.region;
  const Rect both =
      intersect(image.dataWindow, {r.x + origin.x, r.y + origin.y, r.width, r.height});
  std::uint64_t index = base;
  for (int y = both.y; y < both.bottom(); ++y)
    for (int x = both.x; x < both.right(); ++x) {
      const std::size_t p = image.pixelIndex(x, y);
      for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
        const std::int64_t point = cloud.plan.pointOf(index++);
        if (point < 0) continue;
        std::array<std::uint32_t, 4> fragment{};
        std::copy_n(image.words.begin() + std::ptrdiff_t(i * stride), stride, fragment.begin());
        if (image.format == FragmentFormat::Indexed) fragment[0] -= firstIndex;
        const Fragment f = decodeWords(image, fragment.data());
        std::uint32_t* at =
            &words[std::size_t(cloud.plan.placeOf(std::uint32_t(point))) * DEEP_POINT_WORDS];
        at[0] = std::uint32_t(x - origin.x - r.x) | std::uint32_t(y - origin.y - r.y) << 16;
        at[1] = std::bit_cast<std::uint32_t>(f.z), at[2] = std::bit_cast<std::uint32_t>(f.zBack);
        at[3] = packedColor(f);
        at[4] = std::uint32_t(source);
      }
    }
  return index - base;
}

}  // namespace fathom::deep
