// SPDX-License-Identifier: BSD-3-Clause
// Count, scan, place: the passes by which fragments enter a layout; and the way back.
#include "app/engine/deep/lists/list_arranger.h"

#include "app/engine/core/error.h"

#include <algorithm>

namespace fathom::deep {

std::optional<shared::Summary> ListArranger::arrange(const Source& source, FragmentLists& out) {
  store_.reserve(out, out.fragmentCount);
  // Counts into the layout's order, tables from them, then the fragments.
  const ListShape shape = source.fromSlots ? anySlots(out.shape) : out.shape;
  const gpu::Define fromSlots("FROM_SLOTS", source.fromSlots ? 1 : 0);
  gpu::Pass& count = store_.pass("count lists", "lists/count_linear.comp", shape, {fromSlots});
  BufferSlice& counted = isLinear(shape) ? out.table : out.counts;
  count.storage(isLinear(shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(count, out.slotCount, gpu::Each{30});
  gpu::barrier(gpu::Reader::Storage);  // summarize groups, scan
  std::optional<shared::Summary> summary;
  if (!source.sorted || hasMinimums(shape) || isRanked(shape)) summary = store_.summarize(out);
  store_.tabulate(out);
  gpu::Pass& place =
      store_.pass("arrange fragments", "lists/arrange_fragments.comp", shape, {fromSlots});
  bind(place, out)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .storage(DEEP_BIND_SCRATCH, source.fragments)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(place, out.slotCount, walkCost(out, {10, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // sort lists, merge lists; pool
  return summary;
}

void ListArranger::arrange(const FragmentLists& linear, FragmentLists& out) {
  FATHOM_CHECK(isLinear(linear.shape));
  ListShape shape = linear.shape;
  shape.layout = out.shape.layout, shape.block = out.shape.block;
  store_.prepare(out, linear.region, shape);
  out.fragmentCount = linear.fragmentCount, out.longest = linear.longest;
  arrange({.offsets = linear.table, .fragments = linear.data, .fromSlots = true}, out);
}

void ListArranger::countRaster(std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(!inputs.empty());
  gpu::Buffer<std::uint32_t>& counts = store_.scratch().raster;
  store_.ensure(counts, "fragments per pixel", std::uint64_t(inputs[0]->region.area()) + 1);
  counts.clear();
  for (const FragmentLists* lists : inputs) countRaster(*lists);
}

void ListArranger::countRaster(const FragmentLists& lists) {
  gpu::Pass& p = store_.pass("count per pixel", "lists/count_raster.comp", lists.shape);
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, store_.scratch().raster)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {4, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next input, scan, colors
}

void ListArranger::toRaster(const FragmentLists& lists) {
  ListStore::Scratch& scratch = store_.scratch();
  const auto pixels = std::size_t(lists.region.area());
  store_.ensure(scratch.raster, "fragments per pixel", pixels + 1);
  scratch.raster.clear();
  countRaster(lists);
  store_.ensure(scratch.rasterOffsets, "raster offsets", pixels + 1);
  store_.scanner().exclusive(scratch.raster, scratch.rasterOffsets, pixels);
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  store_.ensure(scratch.rasterWords, "fragments in raster order",
                std::max<std::uint64_t>(1, words));
  gpu::Pass& p = store_.pass("linearize lists", "lists/linearize_lists.comp", lists.shape,
                             {{"DESCENDING", lists.descending ? 1 : 0}});
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_SCRATCH, scratch.rasterWords)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {10, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // arrange fragments; the host
}

void ListArranger::linearize(const FragmentLists& lists, FragmentLists& out) {
  toRaster(lists);
  store_.prepare(out, lists.region, linearized(lists.shape));
  out.fragmentCount = lists.fragmentCount, out.longest = lists.longest;
  ListStore::Scratch& scratch = store_.scratch();
  arrange({.offsets = scratch.rasterOffsets, .fragments = scratch.rasterWords}, out);
}

}  // namespace fathom::deep
