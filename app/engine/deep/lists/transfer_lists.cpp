// SPDX-License-Identifier: BSD-3-Clause
// Copies in raster order, which are arranged into a layout and brought back from it. Packing:
// marks, two sums, tables; the host reads them, and the fragments as they lie in raster order.
#include "app/engine/deep/lists/transfer_lists.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/lists/arrange_lists.h"

namespace fathom::deep {

// To the device and back
// -------------------------------------------------------------------------------------------------

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
    for (int x = region.x; x < region.right(); ++x, ++at) {
      offsets[at] = std::uint32_t(total);
      if (!row || x < shared.x || x >= shared.right()) continue;
      const std::size_t p = image.pixelIndex(x, y);
      total += image.fragmentOffsets[p + 1] - image.fragmentOffsets[p];
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

  const Stopwatch watch;
  DeepImage image;
  image.dataWindow = {lists.region.x + origin.x, lists.region.y + origin.y, lists.region.width,
                      lists.region.height};
  image.displayWindow = like.displayWindow;
  image.pixelAspect = like.pixelAspect;
  image.format = like.format;
  image.hasZBack = like.hasZBack;
  image.sorted = true;
  for (const DeepChannel& channel : like.channels)
    image.channels.push_back({channel.name, channel.type, {}});
  ListStore::Scratch& scratch = store.scratch();
  const std::vector<std::uint32_t> offsets = scratch.rasterOffsets.download(0, pixels + 1);
  FATHOM_CHECK_OP(offsets.back(), ==, lists.fragmentCount);
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
  gpu::dispatch(read, 1, gpu::Each{.dependentReads = 2 * kMaxFragments});
  gpu::barrier(gpu::Access::Transfer | gpu::Access::Storage);  // the host; the next list
  const std::uint32_t n = std::min(scratch.longLists.download(0, 1).front(), kMaxFragments);
  std::vector<std::uint32_t> list = scratch.lists.download(0, std::size_t(n) * words);
  if (!lists.descending) return list;
  std::vector<std::uint32_t> reversed;
  for (std::uint32_t i = n; i-- > 0;)
    reversed.insert(reversed.end(), list.begin() + i * words, list.begin() + (i + 1) * words);
  return reversed;
}

// For another process
// -------------------------------------------------------------------------------------------------

namespace {

void packTables(ListStore& store, const FragmentLists& lists, PackedRows& packed) {
  const auto pixels = std::size_t(lists.region.area()), height = std::size_t(lists.region.height);
  ListStore::Scratch& scratch = store.scratch();
  const shared::Params params = paramsOf(lists);
  store.ensure(scratch.packPixels, "packed pixels", pixels + 1);
  store.ensure(scratch.packStarts, "packed starts", pixels + 1);
  gpu::Context& gpu = store.gpu();
  gpu::Pass& mark = gpu.pass({"mark runs of lists", "shaders/deep/lists/pack_marks.comp", {}});
  mark.storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_PACK_PIXELS, scratch.packPixels)
      .storage(DEEP_BIND_PACK_STARTS, scratch.packStarts)
      .params(DEEP_BIND_PARAMS, params);
  gpu::dispatch(mark, pixels, gpu::Each{20});
  gpu::barrier(gpu::Access::Storage);  // scan
  store.scanner().exclusive(scratch.packPixels, scratch.packPixels, pixels);
  store.scanner().exclusive(scratch.packStarts, scratch.packStarts, pixels);
  const std::uint32_t active = scratch.packPixels.download(pixels, 1).front(),
                      runs = scratch.packStarts.download(pixels, 1).front();

  store.ensure(scratch.packRows, "packed rows", 4 * height);
  store.ensure(scratch.packRuns, "packed runs",
               std::max<std::uint64_t>(2, 2 * std::uint64_t(runs)));
  store.ensure(scratch.packCounts, "packed counts", std::max<std::uint64_t>(1, active));
  gpu::Pass& write = gpu.pass({"write runs of lists", "shaders/deep/lists/pack_runs.comp", {}});
  write.storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_PACK_PIXELS, scratch.packPixels)
      .storage(DEEP_BIND_PACK_STARTS, scratch.packStarts)
      .storage(DEEP_BIND_PACK_ROWS, scratch.packRows)
      .storage(DEEP_BIND_PACK_RUNS, scratch.packRuns)
      .storage(DEEP_BIND_PACK_COUNTS, scratch.packCounts)
      .params(DEEP_BIND_PARAMS, params);
  gpu::dispatch(write, pixels, gpu::Each{40});
  gpu::barrier(gpu::Access::Transfer);  // the host
  packed.rows.resize(height + 1);
  const std::vector<std::uint32_t> rows = scratch.packRows.download(0, 4 * height);
  std::memcpy(static_cast<void*>(packed.rows.data()), rows.data(), rows.size() * 4);
  packed.rows.back() = {lists.fragmentCount, active, runs, 0};
  packed.runs = scratch.packRuns.download(0, 2 * std::size_t(runs));
  packed.counts = scratch.packCounts.download(0, active);
}

}  // namespace

PackedRows packLists(ListStore& store, const FragmentLists& lists, glm::ivec2 origin,
                     bool hasZBack) {
  FATHOM_CHECK(lists.shape.format != FragmentFormat::Indexed);
  PackedRows packed;
  packed.region = {lists.region.x + origin.x, lists.region.y + origin.y, lists.region.width,
                   lists.region.height};
  packed.format = lists.shape.format, packed.hasZBack = hasZBack;
  toRaster(store, lists);
  packTables(store, lists, packed);
  // The barrier for the tables was one for the fragments too.
  const std::size_t words = std::size_t(lists.fragmentCount) * std::size_t(lists.shape.words());
  if (words > 0) packed.words = store.scratch().rasterWords.download(0, words);
  return packed;
}

}  // namespace fathom::deep
