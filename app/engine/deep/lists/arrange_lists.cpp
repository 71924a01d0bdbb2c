// SPDX-License-Identifier: BSD-3-Clause
// Upload, then count, scan, place: the passes by which fragments enter a layout, and the way back.
// Lists are sorted by length class: networks in registers, runs of them merged, and beyond 512
// fragments one work group per list (Archer 2018 with the register block sort and backwards memory
// allocation of its base).
#include "app/engine/deep/lists/arrange_lists.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/compiler.h"

namespace fathom::deep {

// ---- To the device and back

namespace {

/// Where the list of each pixel of `region` (image coordinates) begins among its fragments, raster
/// order, and the total; pixels outside the image are empty.
std::vector<std::uint32_t> rasterOffsets(const DeepImage& image, const Rect& region) {
  std::vector<std::uint32_t> offsets(std::size_t(region.area()) + 1);
  const Rect shared = intersect(region, image.dataWindow);
  std::uint64_t total = 0;
  std::size_t at = 0;
  for (int y = region.y; y < region.bottom(); ++y) {
    const bool row = !shared.empty() && y >= shared.y && y < shared.bottom();
    const std::size_t* const of =
        row ? &image.fragmentOffsets[image.pixelIndex(shared.x, y)] : nullptr;
    for (int x = region.x; x < region.right(); ++x, ++at) {
      offsets[at] = std::uint32_t(total);
      if (row && x >= shared.x && x < shared.right())
        total += of[x - shared.x + 1] - of[x - shared.x];
    }
  }
  if (total > UINT32_MAX)
    throw gpu::DoesNotFit("fragments: more than 2^32 in one region", double(total), 0x1p32);
  offsets[at] = std::uint32_t(total);
  return offsets;
}

void uploadWords(ListStore& store, const DeepImage& image, const Rect& part,
                 const std::vector<std::uint32_t>& offsets) {
  const Stopwatch watch;
  ListStore::Scratch& scratch = store.scratch();
  const auto words = std::uint64_t(image.stride());
  store.ensure(scratch.rasterOffsets, "raster offsets", offsets.size());
  store.ensure(scratch.rasterWords, "fragments in raster order",
               std::max<std::uint64_t>(1, offsets.back() * words));
  scratch.rasterOffsets.upload(offsets);
  std::size_t written = 0;
  const auto copy = [&](std::size_t first, std::size_t last) {
    scratch.rasterWords.upload(
        std::span(image.words).subspan(first * words, (last - first) * words), written);
    written += (last - first) * words;
  };
  const auto rowStart = [&](int y) { return image.fragmentOffsets[image.pixelIndex(part.x, y)]; };
  const auto rowEnd = [&](int y) {
    return image.fragmentOffsets[image.pixelIndex(part.right() - 1, y) + 1];
  };
  // Words of a row are contiguous; those of the whole part too when it spans the image's width.
  if (!part.empty() && part.width == image.dataWindow.width)
    copy(rowStart(part.y), rowEnd(part.bottom() - 1));
  else if (!part.empty())
    for (int y = part.y; y < part.bottom(); ++y) copy(rowStart(y), rowEnd(y));
  store.uploadMs += watch.ms();
}

}  // namespace

void uploadLists(ListStore& store, const DeepImage& image, glm::ivec2 origin, const Rect& region,
                 const ListShape& shape, FragmentLists& out) {
  FATHOM_CHECK(shape.format == image.format);
  if (isRanked(shape) && !image.sorted) {
    // Sorting is random access within lists, which the ranks make expensive: sort, then arrange.
    uploadLists(store, image, origin, region, linearized(shape), store.scratch().plain);
    out.shape = shape;
    arrangeLists(store, store.scratch().plain, out);
    return;
  }
  store.prepare(out, region, shape);
  const Rect inImage{region.x + origin.x, region.y + origin.y, region.width, region.height};
  const std::vector<std::uint32_t> offsets = rasterOffsets(image, inImage);
  out.fragmentCount = offsets.back();
  for (std::size_t i = 1; i < offsets.size(); ++i)
    out.longest = std::max(out.longest, offsets[i] - offsets[i - 1]);
  store.reserve(out, out.fragmentCount);
  uploadWords(store, image, intersect(inImage, image.dataWindow), offsets);

  ListStore::Scratch& scratch = store.scratch();
  const std::optional<shared::Summary> summary = arrangeLists(
      store,
      {.offsets = scratch.rasterOffsets, .fragments = scratch.rasterWords, .sorted = image.sorted},
      out);
  if (!image.sorted) sortLists(store, out, *summary);
}

DeepImage downloadLists(ListStore& store, const FragmentLists& lists, glm::ivec2 origin,
                        const DeepImage& like) {
  FATHOM_CHECK(like.format == lists.shape.format);
  toRaster(store, lists);
  const auto pixels = std::size_t(lists.region.area());
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  store.gpu().finish();  // so that the copy alone is counted as download
  store.expectWhole();

  const Stopwatch watch;
  DeepImage image = emptyLike(like, {lists.region.x + origin.x, lists.region.y + origin.y,
                                     lists.region.width, lists.region.height});
  ListStore::Scratch& scratch = store.scratch();
  const std::vector<std::uint32_t> offsets = scratch.rasterOffsets.download(0, pixels + 1);
  if (offsets.back() != lists.fragmentCount)  // of a device that is about to be lost
    fail("deep download: expected {} fragments, found {}", lists.fragmentCount, offsets.back());
  image.fragmentOffsets.assign(offsets.begin(), offsets.end());
  image.words = scratch.rasterWords.download(0, std::size_t(words));
  store.downloadMs += watch.ms();
  return image;
}

std::vector<std::uint32_t> readList(ListStore& store, const FragmentLists& lists, int x, int y) {
  FATHOM_CHECK(lists.region.contains(x, y));
  shared::Params p = paramsOf(lists);
  p.first = slotOf(lists.region, lists.shape.slots, x - lists.region.x, y - lists.region.y);
  constexpr std::uint32_t kMaxFragments = 4096;  // the inspector's table ends there
  p.count = kMaxFragments;
  const auto words = std::uint32_t(lists.shape.words());
  ListStore::Scratch& scratch = store.scratch();
  store.ensure(scratch.longLists, "long lists", 2);
  store.ensure(scratch.lists, "list of one pixel", std::uint64_t(kMaxFragments) * words);
  gpu::Pass& read = store.pass("read list", "lists/read_list.comp", anySlots(lists.shape));
  bind(read, lists)
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .storage(DEEP_BIND_SCRATCH, scratch.lists)
      .params(DEEP_BIND_PARAMS, p);
  read.dispatch(1, gpu::Each{.dependentReads = 2 * kMaxFragments});
  gpu::barrier(gpu::Access::Transfer | gpu::Access::Storage);  // the host; the next list
  const std::uint32_t n = std::min(scratch.longLists.download(0, 1).front(), kMaxFragments);
  std::vector<std::uint32_t> list = scratch.lists.download(0, std::size_t(n) * words);
  if (!lists.descending) return list;
  std::vector<std::uint32_t> reversed;
  for (std::uint32_t i = n; i-- > 0;)
    reversed.insert(reversed.end(), list.begin() + i * words, list.begin() + (i + 1) * words);
  return reversed;
}

// ---- Sorting

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

/// Of short lists: insertion into what is sorted already, or networks.
gpu::DispatchCost shortCost(const FragmentLists& lists, bool inPlace) {
  const double longest = std::min<std::uint32_t>(lists.longest, DEEP_LONGEST);
  const double steps = inPlace ? longest / 2 : 21;  // of a fragment; 21 in a network of 64
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

// 32 fragments of 16 bytes would be all the registers that Intel's and AMD's devices have.
constexpr int kInRegisters = 16;

/// Of sortGroups().
gpu::PassKey sortKey(const ListStore& store, const ListShape& shape, int longest) {
  const bool alone = store.sortsInPlace() || longest <= kInRegisters;
  std::vector<gpu::Define> defines{{"LENGTH", longest}};
  if (store.sortsInPlace())
    defines = {{"IN_PLACE", 1}};
  else if (alone)
    defines = {{"SORTED", longest}, {"NETWORK", sortingNetwork(longest)}};
  const char* const shader = alone ? "lists/sort_lists.comp" : "lists/sort_group_lists.comp";
  return store.key("sort lists", shader, anySlots(shape), std::move(defines));
}

void collectGroups(ListStore& store, FragmentLists& lists, const gpu::PassKey& key) {
  // Scan the flags, then write each group at its place.
  ListStore::Scratch& scratch = store.scratch();
  const std::uint32_t groups = lists.groupCount();
  store.scanner().exclusive(scratch.order, scratch.order, std::size_t(DEEP_CLASSES) * groups);
  store.ensure(scratch.groups, "groups by length", groups);
  gpu::Pass& compact = store.pass(key);
  compact.storage(DEEP_BIND_ORDER, scratch.order)
      .storage(DEEP_BIND_SCRATCH, scratch.groups)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  compact.dispatch(groups, gpu::Each{20 * DEEP_CLASSES});
  gpu::barrier(gpu::Access::Storage);  // sort lists
}

/// Those of `count` groups of slots from `first` on, as collectGroups() has put them; a list of a
/// length class has at most `longest` fragments.
void sortGroups(ListStore& store, FragmentLists& lists, std::uint32_t first, std::uint32_t count,
                int longest) {
  if (count == 0) return;
  gpu::Pass& p = store.pass(sortKey(store, lists.shape, longest));
  shared::Params range = paramsOf(lists);
  range.first = first;
  range.count = count;
  bind(p, lists).storage(DEEP_BIND_SCRATCH, store.scratch().groups).params(DEEP_BIND_PARAMS, range);
  const gpu::DispatchCost cost = shortCost(lists, store.sortsInPlace());
  if (store.sortsInPlace() || longest <= kInRegisters)
    p.dispatch(std::uint64_t(count) * DEEP_GROUP, cost);
  else
    p.dispatchGroups(count, cost);
}

void sortLong(ListStore& store, FragmentLists& lists, const shared::Summary& summary) {
  ListStore::Scratch& scratch = store.scratch();
  store.ensure(scratch.longLists, "long lists", 2 * std::uint64_t(summary.longLists));
  store.ensure(scratch.lists, "scratch of long lists",
               2 * std::uint64_t(summary.longFragments) * std::uint64_t(lists.shape.words()));
  const std::uint32_t zero[2] = {0, 0};
  store.summary().write(zero, sizeof zero, offsetof(shared::Summary, longLists));
  gpu::Pass& list = store.pass("list long lists", "lists/list_long_lists.comp",
                               anySlots(lists.shape), {store.longestShort()});
  bind(list, lists)
      .storage(DEEP_BIND_SUMMARY, store.summary())
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  list.dispatch(lists.slotCount, gpu::Each{20});
  gpu::barrier(gpu::Access::Storage);  // sort long lists

  gpu::Pass& p = store.pass("sort long lists", "lists/sort_long_lists.comp", anySlots(lists.shape));
  shared::Params range = paramsOf(lists);
  range.first = summary.longLists;
  range.count = summary.longFragments;
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .storage(DEEP_BIND_SCRATCH, scratch.lists)
      .params(DEEP_BIND_PARAMS, range);
  p.dispatchGroups(summary.longLists, longCost(lists, summary));
}

}  // namespace

void sortLists(ListStore& store, FragmentLists& lists, const shared::Summary& summary) {
  const std::uint32_t groups = lists.groupCount();
  std::uint32_t first = summary.classes[0];  // lists of one fragment at most need no sorting
  if (first < groups) {
    std::vector<gpu::PassKey> keys{
        gpu::scanKey(store.gpu()),
        store.key("compact groups", "lists/compact_groups.comp", anySlots(lists.shape))};
    if (store.sortsInPlace()) keys.push_back(sortKey(store, lists.shape, DEEP_LONGEST));
    for (int c = 1; !store.sortsInPlace() && 4 << c <= DEEP_LONGEST_SHARED; ++c)
      if (summary.classes[c] > 0) keys.push_back(sortKey(store, lists.shape, 4 << c));
    store.gpu().request(keys);
    collectGroups(store, lists, keys[1]);
  }

  if (store.sortsInPlace()) {
    sortGroups(store, lists, first, groups - first, DEEP_LONGEST);
  } else {
    for (int c = 1; 4 << c <= DEEP_LONGEST_SHARED; ++c) {
      sortGroups(store, lists, first, summary.classes[c], 4 << c);
      first += summary.classes[c];
    }
  }
  if (summary.longLists > 0) sortLong(store, lists, summary);
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // merge lists, download
}

// ---- Arranging

std::optional<shared::Summary> arrangeLists(ListStore& store, const RasterSource& source,
                                            FragmentLists& out) {
  store.reserve(out, out.fragmentCount);
  // Counts into the layout's order, tables from them, then the fragments.
  const ListShape shape = source.fromSlots ? anySlots(out.shape) : out.shape;
  const gpu::Define fromSlots("FROM_SLOTS", source.fromSlots ? 1 : 0);
  const std::vector<gpu::PassKey> keys{
      store.key("count lists", "lists/count_linear.comp", shape, {fromSlots}),
      store.key("arrange fragments", "lists/arrange_fragments.comp", shape, {fromSlots},
                out.longest),
      store.summaryKey(shape), gpu::scanKey(store.gpu())};
  store.gpu().request(keys);
  gpu::Pass& count = store.pass(keys[0]);
  BufferSlice& counted = isLinear(shape) ? out.table : out.counts;
  count.storage(isLinear(shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  count.dispatch(out.slotCount, gpu::Each{30});
  gpu::barrier(gpu::Access::Storage);  // summarize groups, scan
  std::optional<shared::Summary> summary;
  if (!source.sorted || hasMinimums(shape) || isRanked(shape)) summary = store.summarize(out);
  store.tabulate(out);
  gpu::Pass& place = store.pass(keys[1]);
  bind(place, out)
      .storage(DEEP_BIND_ORDER, source.offsets)
      .storage(DEEP_BIND_SCRATCH, source.fragments)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  place.dispatch(out.slotCount, walkCost(out, {10, 1}));
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
  p.dispatch(lists.slotCount, walkCost(lists, {4, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // the next input, scan, colors
}

}  // namespace

void countRaster(ListStore& store, std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(!inputs.empty());
  gpu::Words& counts = store.scratch().raster;
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
  p.dispatch(lists.slotCount, walkCost(lists, {10, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // arrange fragments; the host
}

void linearizeLists(ListStore& store, const FragmentLists& lists, FragmentLists& out) {
  toRaster(store, lists);
  store.prepare(out, lists.region, linearized(lists.shape));
  out.fragmentCount = lists.fragmentCount, out.longest = lists.longest;
  ListStore::Scratch& scratch = store.scratch();
  arrangeLists(store, {.offsets = scratch.rasterOffsets, .fragments = scratch.rasterWords}, out);
}

// ---- Fragments per pixel

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
  const gpu::Words colors(store.gpu(), "heat map colors", std::span<const std::uint32_t>(words));
  const FragmentLists& first = *inputs[0];
  gpu::Pass& p =
      store.pass("color depth complexity", "lists/color_depth_complexity.comp", first.shape);
  p.storage(DEEP_BIND_ORDER, store.scratch().raster)
      .storage(DEEP_BIND_SCRATCH, colors)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, paramsOf(first));
  p.dispatch(std::uint64_t(first.region.area()), gpu::Each{60});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

std::vector<std::uint32_t> countPixels(ListStore& store, std::span<FragmentLists* const> inputs) {
  countRaster(store, inputs);
  return store.scratch().raster.download(0, std::size_t(inputs[0]->region.area()));
}

}  // namespace fathom::deep
