// SPDX-License-Identifier: BSD-3-Clause
// Count, scan, place: the passes by which fragments enter a layout, and the way back. Lists are
// sorted by length class: networks in registers, runs of them merged, and beyond 512 fragments one
// work group per list (Archer 2018 with the register block sort and backwards memory allocation of
// its base).
#include "app/engine/deep/lists/arrange_lists.h"

#include "app/engine/core/error.h"

namespace fathom::deep {

// Sorting
// -------------------------------------------------------------------------------------------------

std::string sortingNetwork(int n) {
  std::string text;
  for (int p = 1; p < n; p *= 2)
    for (int k = p; k >= 1; k /= 2)
      for (int j = k % p; j + k < n; j += 2 * k)
        for (int i = 0; i < std::min(k, n - j - k); ++i)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p))
            text += fmt::format("CX({}, {}) ", i + j, i + j + k);
  return text;
}

namespace {

/// Of lists of up to DEEP_LONGEST: insertion into what is sorted already, or networks and merges.
gpu::DispatchCost shortCost(const FragmentLists& lists, bool inPlace) {
  const double longest = std::min<std::uint32_t>(lists.longest, DEEP_LONGEST);
  const double steps = inPlace ? longest / 2 : 45;  // of a fragment; 45 in a network of 512
  return {30.0 * lists.slotCount + 6 * steps * lists.fragmentCount,
          inPlace ? longest * longest / 4 : 2 * longest};
}

/// Of longer ones: networks over DEEP_LONG_RUN fragments in shared memory, then rounds that look
/// for each fragment's place. A work group shares a list, but one invocation alone walks a chain.
gpu::DispatchCost longCost(const FragmentLists& lists, const shared::Summary& summary) {
  const double rounds = std::bit_width(summary.longest / DEEP_LONG_RUN);
  const double looks = rounds * std::bit_width(summary.longest);
  const double each = double(summary.longest) / DEEP_LONG_SIZE;
  return {(6 * 55 + 6 * looks) * summary.longFragments,
          each * (4 + looks) + (isLinked(lists.shape) ? 2.0 * summary.longest : 0)};
}

void collectGroups(ListStore& store, FragmentLists& lists) {
  // Scan the flags, then write each group at its place.
  ListStore::Scratch& scratch = store.scratch();
  const std::uint32_t groups = lists.groupCount();
  store.scanner().exclusive(scratch.order, scratch.order, std::size_t(DEEP_CLASSES) * groups);
  store.ensure(scratch.groups, "groups by length", groups);
  gpu::Pass& compact =
      store.pass("compact groups", "lists/compact_groups.comp", anySlots(lists.shape));
  compact.storage(DEEP_BIND_ORDER, scratch.order)
      .storage(DEEP_BIND_SCRATCH, scratch.groups)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(compact, groups, gpu::Each{20 * DEEP_CLASSES});
  gpu::barrier(gpu::Access::Storage);  // sort lists
}

void sortGroups(ListStore& store, FragmentLists& lists, std::uint32_t first, std::uint32_t count,
                std::vector<gpu::Define> defines, const gpu::DispatchCost& cost) {
  if (count == 0) return;
  gpu::Pass& p =
      store.pass("sort lists", "lists/sort_lists.comp", anySlots(lists.shape), std::move(defines));
  shared::Params range = paramsOf(lists);
  range.first = first;
  range.count = count;
  bind(p, lists).storage(DEEP_BIND_SCRATCH, store.scratch().groups).params(DEEP_BIND_PARAMS, range);
  gpu::dispatch(p, std::uint64_t(count) * DEEP_GROUP, cost);
}

void sortLong(ListStore& store, FragmentLists& lists, const shared::Summary& summary) {
  ListStore::Scratch& scratch = store.scratch();
  store.ensure(scratch.longLists, "long lists", 2 * std::uint64_t(summary.longLists));
  store.ensure(scratch.lists, "scratch of long lists",
               2 * std::uint64_t(summary.longFragments) * std::uint64_t(lists.shape.words()));
  const std::uint32_t zero[2] = {0, 0};
  store.summary().write(zero, sizeof zero, offsetof(shared::Summary, longLists));
  gpu::Pass& list =
      store.pass("list long lists", "lists/list_long_lists.comp", anySlots(lists.shape));
  bind(list, lists)
      .storage(DEEP_BIND_SUMMARY, store.summary())
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(list, lists.slotCount, gpu::Each{20});
  gpu::barrier(gpu::Access::Storage);  // sort long lists

  gpu::Pass& p = store.pass("sort long lists", "lists/sort_long_lists.comp", anySlots(lists.shape));
  shared::Params range = paramsOf(lists);
  range.first = summary.longLists;
  range.count = summary.longFragments;
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .storage(DEEP_BIND_SCRATCH, scratch.lists)
      .params(DEEP_BIND_PARAMS, range);
  gpu::dispatchGroups(p, summary.longLists, longCost(lists, summary));
}

}  // namespace

void sortLists(ListStore& store, FragmentLists& lists, const shared::Summary& summary) {
  const std::uint32_t groups = lists.groupCount();
  std::uint32_t first = summary.classes[0];  // lists of one fragment at most need no sorting
  if (first < groups) collectGroups(store, lists);

  const bool inPlace = store.sortMethod == SortMethod::InPlace ||
                       (store.sortMethod == SortMethod::Auto && store.gpu().device().software);
  if (inPlace) {
    sortGroups(store, lists, first, groups - first, {{"IN_PLACE", 1}}, shortCost(lists, true));
  } else {
    for (int c = 1; c < DEEP_CLASSES; ++c) {
      const int longest = 4 << c, sorted = std::min(longest, 32);
      sortGroups(
          store, lists, first, summary.classes[c],
          {{"SORTED", sorted}, {"RUNS", longest / sorted}, {"NETWORK", sortingNetwork(sorted)}},
          shortCost(lists, false));
      first += summary.classes[c];
    }
  }
  if (summary.longLists > 0) sortLong(store, lists, summary);
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // merge lists, download
}

// Arranging
// -------------------------------------------------------------------------------------------------

std::optional<shared::Summary> arrangeLists(ListStore& store, const RasterSource& source,
                                            FragmentLists& out) {
  store.reserve(out, out.fragmentCount);
  // Counts into the layout's order, tables from them, then the fragments.
  const ListShape shape = source.fromSlots ? anySlots(out.shape) : out.shape;
  const gpu::Define fromSlots("FROM_SLOTS", source.fromSlots ? 1 : 0);
  gpu::Pass& count = store.pass("count lists", "lists/count_linear.comp", shape, {fromSlots});
  BufferSlice& counted = isLinear(shape) ? out.table : out.counts;
  count.storage(isLinear(shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(count, out.slotCount, gpu::Each{30});
  gpu::barrier(gpu::Access::Storage);  // summarize groups, scan
  std::optional<shared::Summary> summary;
  if (!source.sorted || hasMinimums(shape) || isRanked(shape)) summary = store.summarize(out);
  store.tabulate(out);
  gpu::Pass& place =
      store.pass("arrange fragments", "lists/arrange_fragments.comp", shape, {fromSlots});
  bind(place, out)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .storage(DEEP_BIND_SCRATCH, source.fragments)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(place, out.slotCount, walkCost(out, {10, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // sort lists, merge lists; pool
  return summary;
}

void arrangeLists(ListStore& store, const FragmentLists& linear, FragmentLists& out) {
  FATHOM_CHECK(isLinear(linear.shape));
  ListShape shape = linear.shape;
  shape.layout = out.shape.layout, shape.block = out.shape.block;
  store.prepare(out, linear.region, shape);
  out.fragmentCount = linear.fragmentCount, out.longest = linear.longest;
  arrangeLists(store, {.offsets = linear.table, .fragments = linear.data, .fromSlots = true}, out);
}

namespace {

void countRaster(ListStore& store, const FragmentLists& lists) {
  gpu::Pass& p = store.pass("count per pixel", "lists/count_raster.comp", lists.shape);
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, store.scratch().raster)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {4, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // the next input, scan, colors
}

}  // namespace

void countRaster(ListStore& store, std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(!inputs.empty());
  gpu::Buffer<std::uint32_t>& counts = store.scratch().raster;
  store.ensure(counts, "fragments per pixel", std::uint64_t(inputs[0]->region.area()) + 1);
  counts.clear();
  for (const FragmentLists* lists : inputs) countRaster(store, *lists);
}

void toRaster(ListStore& store, const FragmentLists& lists) {
  ListStore::Scratch& scratch = store.scratch();
  const auto pixels = std::size_t(lists.region.area());
  store.ensure(scratch.raster, "fragments per pixel", pixels + 1);
  scratch.raster.clear();
  countRaster(store, lists);
  store.ensure(scratch.rasterOffsets, "raster offsets", pixels + 1);
  store.scanner().exclusive(scratch.raster, scratch.rasterOffsets, pixels);
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  store.ensure(scratch.rasterWords, "fragments in raster order", std::max<std::uint64_t>(1, words));
  gpu::Pass& p = store.pass("linearize lists", "lists/linearize_lists.comp", lists.shape,
                            {{"DESCENDING", lists.descending ? 1 : 0}});
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_SCRATCH, scratch.rasterWords)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {10, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // arrange fragments; the host
}

void linearizeLists(ListStore& store, const FragmentLists& lists, FragmentLists& out) {
  toRaster(store, lists);
  store.prepare(out, lists.region, linearized(lists.shape));
  out.fragmentCount = lists.fragmentCount, out.longest = lists.longest;
  ListStore::Scratch& scratch = store.scratch();
  arrangeLists(store, {.offsets = scratch.rasterOffsets, .fragments = scratch.rasterWords}, out);
}

// Fragments per pixel
// -------------------------------------------------------------------------------------------------

const std::array<HeatClass, 10>& heatClasses() {
  // Blue, green, yellow, red, in steps that stay apart when printed gray; one fragment is well
  // above the black of none.
  static const std::array<HeatClass, 10> classes{{{0, {0.0f, 0.0f, 0.0f}},
                                                  {1, {0.035f, 0.045f, 0.260f}},
                                                  {8, {0.030f, 0.120f, 0.560f}},
                                                  {16, {0.020f, 0.270f, 0.600f}},
                                                  {32, {0.020f, 0.400f, 0.350f}},
                                                  {64, {0.140f, 0.520f, 0.070f}},
                                                  {128, {0.700f, 0.640f, 0.030f}},
                                                  {256, {0.900f, 0.290f, 0.020f}},
                                                  {512, {0.800f, 0.050f, 0.030f}},
                                                  {UINT32_MAX, {1.0f, 0.75f, 0.90f}}}};
  return classes;
}

void drawHeatMap(ListStore& store, std::span<FragmentLists* const> inputs,
                 const gpu::Texture& picture) {
  countRaster(store, inputs);
  std::vector<std::uint32_t> words;  // vec4 per class
  for (const HeatClass& c : heatClasses())
    for (const float v : {c.color.r, c.color.g, c.color.b, 1.0f})
      words.push_back(std::bit_cast<std::uint32_t>(v));
  const gpu::Buffer<std::uint32_t> colors(store.gpu(), "heat map colors",
                                          std::span<const std::uint32_t>(words));
  const FragmentLists& first = *inputs[0];
  gpu::Pass& p =
      store.pass("color depth complexity", "lists/color_depth_complexity.comp", first.shape);
  p.storage(DEEP_BIND_ORDER, store.scratch().raster)
      .storage(DEEP_BIND_SCRATCH, colors)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, paramsOf(first));
  gpu::dispatch(p, std::uint64_t(first.region.area()), gpu::Each{60});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

std::vector<std::uint32_t> countPixels(ListStore& store, std::span<FragmentLists* const> inputs) {
  countRaster(store, inputs);
  return store.scratch().raster.download(0, std::size_t(inputs[0]->region.area()));
}

}  // namespace fathom::deep
