// SPDX-License-Identifier: BSD-3-Clause
// Deep images of the CPU into lists and back.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

namespace fathom::deep {
namespace {

/// Adds the wall time of a scope.
class Stopwatch {
 public:
  explicit Stopwatch(double& ms) : ms_(ms) {}
  ~Stopwatch() {
    ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
               .count();
  }

 private:
  double& ms_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void Pipeline::upload(const DeepImage& image, glm::ivec2 origin, const Rect& region,
                      const ListShape& shape, FragmentLists& out) {
  FATHOM_CHECK(shape.format == image.format);
  if (isRanked(shape) && !image.sorted) {
    // Sorting jumps about in lists, and the ranks make each jump dear: sort first, then arrange.
    upload(image, origin, region, linearized(shape), plain_);
    out.shape = shape;
    arrange(plain_, out);
    return;
  }
  prepare(out, region, shape);

  // Offsets of the region in raster order; pixels outside the image are empty.
  std::vector<std::uint32_t> offsets(std::size_t(region.area()) + 1);
  const Rect inImage{region.x + origin.x, region.y + origin.y, region.width, region.height};
  const Rect shared = intersect(inImage, image.dataWindow);
  std::uint64_t total = 0;
  std::size_t at = 0;
  for (int y = inImage.y; y < inImage.bottom(); ++y) {
    const bool row = !shared.empty() && y >= shared.y && y < shared.bottom();
    for (int x = inImage.x; x < inImage.right(); ++x, ++at) {
      offsets[at] = std::uint32_t(total);
      if (!row || x < shared.x || x >= shared.right()) continue;
      const std::size_t p = image.pixelIndex(x, y);
      total += image.fragmentOffsets[p + 1] - image.fragmentOffsets[p];
    }
  }
  if (total > UINT32_MAX)
    throw DoesNotFit("fragments: more than 2^32 in one region", double(total), 0x1p32);
  offsets[at] = std::uint32_t(total);
  out.fragmentCount = std::uint32_t(total);
  reserve(out, total);

  std::optional<Stopwatch> watch(uploadMs_);
  // The words of each row are in one piece; of the whole region too when it spans the image's
  // width.
  const auto words = std::uint64_t(shape.words());
  ensure(rasterOffsets_, "raster offsets", offsets.size());
  ensure(linear_, "fragments in raster order", std::max<std::uint64_t>(1, total * words));
  rasterOffsets_.upload(offsets);
  std::size_t written = 0;
  const auto copy = [&](std::size_t first, std::size_t last) {
    linear_.upload(std::span(image.words).subspan(first * words, (last - first) * words), written);
    written += (last - first) * words;
  };
  if (!shared.empty()) {
    const auto rowStart = [&](int y) {
      return image.fragmentOffsets[image.pixelIndex(shared.x, y)];
    };
    const auto rowEnd = [&](int y) {
      return image.fragmentOffsets[image.pixelIndex(shared.right() - 1, y) + 1];
    };
    if (shared.width == image.dataWindow.width)
      copy(rowStart(shared.y), rowEnd(shared.bottom() - 1));
    else
      for (int y = shared.y; y < shared.bottom(); ++y) copy(rowStart(y), rowEnd(y));
  }

  watch.reset();

  const std::optional<shared::Summary> summary =
      arrange(rasterOffsets_, linear_, false, image.sorted, out);
  if (!image.sorted) sort(out, *summary);
}

/// Fragments that stand outside the layouts (list_source.glsl) into `out`, which is prepared and
/// knows how many they are. The summary when lists are not sorted, or the layout needs it.
std::optional<shared::Summary> Pipeline::arrange(const gpu::BufferRange& offsets,
                                                 const gpu::BufferRange& fragments, bool fromSlots,
                                                 bool sorted, FragmentLists& out) {
  reserve(out, out.fragmentCount);
  // Counts into the layout's order, tables from them, then the fragments.
  const ListShape shape = fromSlots ? anySlots(out.shape) : out.shape;
  const gpu::Define source("FROM_SLOTS", fromSlots ? 1 : 0);
  gpu::Pass& count = pass("count lists", "count_linear.comp", shape, {source});
  Words& counted = isLinear(shape) ? out.table : out.counts;
  count.storage(isLinear(shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .storage(DEEP_BIND_ORDER, offsets)
      .params(DEEP_BIND_PARAMS, params(out));
  count.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // summarize groups, scan
  std::optional<shared::Summary> summary;
  if (!sorted || hasMinimums(shape) || isRanked(shape)) summary = summarize(out);
  tabulate(out);
  gpu::Pass& place = pass("arrange fragments", "arrange_fragments.comp", shape, {source});
  bind(place, out)
      .storage(DEEP_BIND_ORDER, offsets)
      .storage(DEEP_BIND_SCRATCH, fragments)
      .params(DEEP_BIND_PARAMS, params(out));
  place.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // sort lists, merge lists; pool
  return summary;
}

/// The same from a linearized image whose lists are sorted.
void Pipeline::arrange(const FragmentLists& linear, FragmentLists& out) {
  FATHOM_CHECK(isLinear(linear.shape));
  ListShape shape = linear.shape;
  shape.layout = out.shape.layout, shape.block = out.shape.block;
  prepare(out, linear.region, shape);
  out.fragmentCount = linear.fragmentCount;
  arrange(linear.table, linear.data, true, true, out);
}

/// Fragments in raster order in linear_, front to back, at rasterOffsets_.
void Pipeline::toRaster(const FragmentLists& lists) {
  const auto pixels = std::size_t(lists.region.area());
  FragmentLists* const one[] = {const_cast<FragmentLists*>(&lists)};
  countRaster(one);
  ensure(rasterOffsets_, "raster offsets", pixels + 1);
  scanner_.exclusive(raster_, rasterOffsets_, pixels);
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  ensure(linear_, "fragments in raster order", std::max<std::uint64_t>(1, words));
  gpu::Pass& p = pass("linearize lists", "linearize_lists.comp", lists.shape,
                      {{"DESCENDING", lists.descending ? 1 : 0}});
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, rasterOffsets_)
      .storage(DEEP_BIND_SCRATCH, linear_)
      .params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // arrange fragments; the host
}

void Pipeline::linearize(const FragmentLists& lists, FragmentLists& out) {
  toRaster(lists);
  prepare(out, lists.region, linearized(lists.shape));
  out.fragmentCount = lists.fragmentCount;
  arrange(rasterOffsets_, linear_, false, true, out);
}

DeepImage Pipeline::download(const FragmentLists& lists, glm::ivec2 origin, const DeepImage& like) {
  FATHOM_CHECK(like.format == lists.shape.format);
  toRaster(lists);
  const auto pixels = std::size_t(lists.region.area());
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  gpu_.finish();  // so that the copy alone is counted as download

  const Stopwatch watch(downloadMs_);
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
  const std::vector<std::uint32_t> offsets = rasterOffsets_.download(0, pixels + 1);
  FATHOM_CHECK_OP(offsets.back(), ==, lists.fragmentCount);
  image.fragmentOffsets.assign(offsets.begin(), offsets.end());
  image.words = linear_.download(0, std::size_t(words));
  return image;
}

std::vector<std::uint32_t> Pipeline::readList(const FragmentLists& lists, int x, int y) {
  FATHOM_CHECK(lists.region.contains(x, y));
  shared::Params p = params(lists);
  p.first = slotOf(lists.region, lists.shape.slots, x - lists.region.x, y - lists.region.y);
  constexpr std::uint32_t kMost = 4096;  // the inspector's table ends there
  p.count = kMost;
  const auto words = std::uint32_t(lists.shape.words());
  ensure(longLists_, "long lists", 2);
  ensure(longScratch_, "list of one pixel", std::uint64_t(kMost) * words);
  gpu::Pass& read = pass("read list", "read_list.comp", anySlots(lists.shape));
  bind(read, lists)
      .storage(DEEP_BIND_ORDER, longLists_)
      .storage(DEEP_BIND_SCRATCH, longScratch_)
      .params(DEEP_BIND_PARAMS, p);
  read.dispatch(1);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  const std::uint32_t n = std::min(longLists_.download(0, 1).front(), kMost);
  std::vector<std::uint32_t> list = longScratch_.download(0, std::size_t(n) * words);
  if (lists.descending) {
    std::vector<std::uint32_t> turned;
    for (std::uint32_t i = n; i-- > 0;)
      turned.insert(turned.end(), list.begin() + i * words, list.begin() + (i + 1) * words);
    list = std::move(turned);
  }
  return list;
}

}  // namespace fathom::deep
