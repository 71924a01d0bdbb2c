// SPDX-License-Identifier: BSD-3-Clause
// Copies in raster order, which the arranger brings into a layout and back.
#include "app/engine/deep/lists/list_transfer.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"

#include <algorithm>
#include <optional>

namespace fathom::deep {
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

}  // namespace

void ListTransfer::upload(const DeepImage& image, glm::ivec2 origin, const Rect& region,
                          const ListShape& shape, FragmentLists& out) {
  FATHOM_CHECK(shape.format == image.format);
  if (isRanked(shape) && !image.sorted) {
    // Sorting is random access within lists, which the ranks make expensive: sort, then arrange.
    upload(image, origin, region, linearized(shape), plain_);
    out.shape = shape;
    arranger_.arrange(plain_, out);
    return;
  }
  store_.prepare(out, region, shape);
  const Rect inImage{region.x + origin.x, region.y + origin.y, region.width, region.height};
  const std::vector<std::uint32_t> offsets = rasterOffsets(image, inImage);
  out.fragmentCount = offsets.back();
  for (std::size_t i = 1; i < offsets.size(); ++i)
    out.longest = std::max(out.longest, offsets[i] - offsets[i - 1]);
  store_.reserve(out, out.fragmentCount);
  uploadWords(image, intersect(inImage, image.dataWindow), offsets);

  ListStore::Scratch& scratch = store_.scratch();
  const std::optional<shared::Summary> summary = arranger_.arrange(
      {.offsets = scratch.rasterOffsets, .fragments = scratch.rasterWords, .sorted = image.sorted},
      out);
  if (!image.sorted) sorter_.sort(out, *summary);
}

void ListTransfer::uploadWords(const DeepImage& image, const Rect& part,
                               const std::vector<std::uint32_t>& offsets) {
  const Stopwatch watch;
  ListStore::Scratch& scratch = store_.scratch();
  const auto words = std::uint64_t(image.stride());
  store_.ensure(scratch.rasterOffsets, "raster offsets", offsets.size());
  store_.ensure(scratch.rasterWords, "fragments in raster order",
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
  uploadMs_ += watch.ms();
}

DeepImage ListTransfer::download(const FragmentLists& lists, glm::ivec2 origin,
                                 const DeepImage& like) {
  FATHOM_CHECK(like.format == lists.shape.format);
  arranger_.toRaster(lists);
  const auto pixels = std::size_t(lists.region.area());
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  store_.gpu().finish();  // so that the copy alone is counted as download

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
  ListStore::Scratch& scratch = store_.scratch();
  const std::vector<std::uint32_t> offsets = scratch.rasterOffsets.download(0, pixels + 1);
  FATHOM_CHECK_OP(offsets.back(), ==, lists.fragmentCount);
  image.fragmentOffsets.assign(offsets.begin(), offsets.end());
  image.words = scratch.rasterWords.download(0, std::size_t(words));
  downloadMs_ += watch.ms();
  return image;
}

std::vector<std::uint32_t> ListTransfer::readList(const FragmentLists& lists, int x, int y) {
  FATHOM_CHECK(lists.region.contains(x, y));
  shared::Params p = paramsOf(lists);
  p.first = slotOf(lists.region, lists.shape.slots, x - lists.region.x, y - lists.region.y);
  constexpr std::uint32_t kMaxFragments = 4096;  // the inspector's table ends there
  p.count = kMaxFragments;
  const auto words = std::uint32_t(lists.shape.words());
  ListStore::Scratch& scratch = store_.scratch();
  store_.ensure(scratch.longLists, "long lists", 2);
  store_.ensure(scratch.lists, "list of one pixel", std::uint64_t(kMaxFragments) * words);
  gpu::Pass& read = store_.pass("read list", "lists/read_list.comp", anySlots(lists.shape));
  bind(read, lists)
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .storage(DEEP_BIND_SCRATCH, scratch.lists)
      .params(DEEP_BIND_PARAMS, p);
  gpu::dispatch(read, 1, gpu::Each{.dependentReads = 2 * kMaxFragments});
  gpu::barrier(gpu::Reader::Transfer | gpu::Reader::Storage);  // the host; the next list
  const std::uint32_t n = std::min(scratch.longLists.download(0, 1).front(), kMaxFragments);
  std::vector<std::uint32_t> list = scratch.lists.download(0, std::size_t(n) * words);
  if (!lists.descending) return list;
  std::vector<std::uint32_t> reversed;
  for (std::uint32_t i = n; i-- > 0;)
    reversed.insert(reversed.end(), list.begin() + i * words, list.begin() + (i + 1) * words);
  return reversed;
}

}  // namespace fathom::deep
