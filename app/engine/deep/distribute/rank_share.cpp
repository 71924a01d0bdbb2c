// SPDX-License-Identifier: BSD-3-Clause
// Images are thinned and packed where they lie.
#include "app/engine/deep/distribute/rank_share.h"

#include "app/engine/deep/distribute/rank_worker.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

std::vector<PackedInput> RankShare::pack(const Rect& region) {
  before_ = figures_;
  try {
    figures_.rawBytes += 4 * std::uint64_t(region.area());
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

void RankShare::note(std::uint64_t fragments, PackedInput&& packed, std::vector<PackedInput>& out) {
  figures_.fragments += fragments;
  figures_.sentFragments += packed.rows.fragmentCount();
  figures_.rawBytes += 4 * std::uint64_t(wordsPerFragment(packed.rows.format)) * fragments;
  if (packed.rows.fragmentCount() > 0) out.push_back(std::move(packed));
}

DeepImage RankShare::withinBound(std::size_t input, const DeepImage& image, const Rect& window,
                                 std::uint32_t firstIndex) {
  const EditedInput one{&image, {}, firstIndex};
  MergeEdit edit;
  edit.thinError = thinning_.error;
  ThinReport report;
  DeepImage thinned = mergeEdited(std::span(&one, 1), edit, &report, window);
  if (report.error > errors_[input]) {
    figures_.errorSum += report.error - errors_[input];
    errors_[input] = report.error;
  }
  figures_.largestError = std::max(figures_.largestError, report.error);
  return thinned;
}

void RankShare::packImage(std::size_t input, const DeepImage& image, const Rect& window,
                          std::uint32_t firstIndex, std::vector<PackedInput>& out) {
  PackedInput packed{std::uint32_t(input), {}};
  if (thinning_.count > 0) {
    const EditedInput one{&image, {}, firstIndex};
    MergeEdit edit;
    edit.maxCount = thinning_.count;
    ThinReport report;
    const DeepImage thinned = mergeEdited(std::span(&one, 1), edit, &report, window);
    figures_.largestMove = std::max(figures_.largestMove, report.move);
    packed.rows = packRows(thinned, window);
  } else if (thinning_.error > 0) {
    packed.rows = packRows(withinBound(input, image, window, firstIndex), window);
  } else {
    packed.rows = packRows(image, window, firstIndex);
  }
  std::uint64_t fragments = 0;  // before thinning
  const Rect part = intersect(window, image.dataWindow);
  for (int y = part.y; y < part.bottom(); ++y) {
    const std::size_t* row = &image.fragmentOffsets[image.pixelIndex(part.x, y)];
    fragments += row[part.width] - row[0];
  }
  note(fragments, std::move(packed), out);
}

std::vector<PackedInput> ImageShare::packRegion(const Rect& region) {
  const PhaseWatch watch;
  std::vector<PackedInput> all;
  for (const Input& input : own_) packImage(input.number, input.image, region, 0, all);
  figures_.packMs += watch.ms();
  return all;
}

}  // namespace fathom::deep
