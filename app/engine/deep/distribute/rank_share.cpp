// SPDX-License-Identifier: BSD-3-Clause
// Images are thinned and packed where they lie; lists of one input are put together and sorted,
// then merged by the reference of all edits.
#include "app/engine/deep/distribute/rank_share.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/jobs.h"

namespace fathom::deep {

std::vector<InputRows> RankShare::pack(const Rect& region) {
  before_ = figures_;
  try {
    figures_.rawBytes += 4 * double(region.area());
    return packRegion(region);
  } catch (...) {
    forget();
    throw;
  }
}

/// The time that it took was spent all the same.
void RankShare::forget() {
  figures_.fragments = before_.fragments;
  figures_.sentFragments = before_.sentFragments;
  figures_.rawBytes = before_.rawBytes;
}

void RankShare::note(std::uint64_t fragments, InputRows&& own, std::vector<InputRows>& out) {
  figures_.fragments += double(fragments);
  figures_.sentFragments += double(own.rows.fragmentCount());
  figures_.rawBytes += 4 * double(own.rows.stride()) * double(fragments);
  if (own.rows.fragmentCount() > 0) out.push_back(std::move(own));
}

DeepImage RankShare::thinned(std::size_t input, const DeepImage& image, const Rect& window,
                             std::uint32_t firstIndex) {
  const EditedInput one{&image, {}, firstIndex};
  ThinReport report;
  DeepImage thinned = mergeEdited(std::span(&one, 1), {.thinError = thinError_}, &report, window);
  figures_.largestError = std::max(figures_.largestError, report.error);
  if (report.error > errors_[input])
    figures_.errorSum += report.error - std::exchange(errors_[input], report.error);
  return thinned;
}

void RankShare::packImage(std::size_t input, const DeepImage& image, const Rect& window,
                          std::uint32_t firstIndex, std::vector<InputRows>& out) {
  InputRows own{std::uint32_t(input),
                thinError_ > 0 ? trimmed(thinned(input, image, window, firstIndex), window)
                               : trimmed(image, window, firstIndex)};
  note(fragmentsIn(image, window), std::move(own), out);
}

std::vector<InputRows> ImageShare::packRegion(const Rect& region) {
  const PhaseWatch watch;
  std::vector<InputRows> all;
  for (const Input& input : own_) packImage(input.number, input.image, region, 0, all);
  figures_.pack += watch.ms();
  return all;
}

// ---- Merging

namespace {

std::uint64_t fragmentsOf(const std::vector<DeepImage>& images) {
  std::uint64_t count = 0;
  for (const DeepImage& image : images) count += image.fragmentCount();
  return count;
}

void sortAll(std::vector<DeepImage>& images) {
  for (DeepImage& image : images)
    if (!image.sorted) sortByContent(image);
}

}  // namespace

void sortByContent(DeepImage& image) {
  if (image.format != FragmentFormat::Indexed) return sortLists(image);
  using Words = std::array<std::uint32_t, kWideWords>;
  const auto bytesOf = [&](const DeepChannel& channel, std::uint32_t index) {
    const std::size_t bytes = bytesPerValue(channel.type);
    return std::pair(channel.values.data() + index * bytes, bytes);
  };
  const auto before = [&](const Words& a, const Words& b) {
    for (const std::size_t word : {std::size_t(2), std::size_t(3)})
      if (depthKey(a[word]) != depthKey(b[word])) return depthKey(a[word]) < depthKey(b[word]);
    for (const DeepChannel& channel : image.channels) {
      const auto [first, bytes] = bytesOf(channel, a[0]);
      if (const int order = std::memcmp(first, bytesOf(channel, b[0]).first, bytes))
        return order < 0;
    }
    return false;
  };
  static_assert(sizeof(Words) == kWideWords * sizeof(std::uint32_t));
  auto* const fragments = reinterpret_cast<Words*>(image.words.data());
  const std::size_t grain = evenGrain(image.pixelCount(), 4096);
  parallelFor(image.pixelCount(), grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p)
      std::sort(fragments + image.fragmentOffsets[p], fragments + image.fragmentOffsets[p + 1],
                before);
  });
  image.sorted = true;
}

RowMerge::Facts HostMerge::merge(std::vector<DeepImage>&& images, const Rect& rows,
                                 const std::function<void(DeepImage&&)>& consume) {
  Facts facts{fragmentsOf(images), {}};
  sortAll(images);
  consume(mergeEdited(withEdits(images), edit_, &facts.thinned, rows));
  return facts;
}

RowMerge::Facts HostMerge::flatten(std::vector<DeepImage>&& images, const Rect& rows,
                                   const std::function<void(Image&&)>& consume) {
  const Facts facts{fragmentsOf(images), {}};
  sortAll(images);
  consume(flattenEdited(withEdits(images), edit_, rows));
  return facts;
}

}  // namespace fathom::deep
