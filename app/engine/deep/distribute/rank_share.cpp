// SPDX-License-Identifier: BSD-3-Clause
// Scenes go from the rasterizer into packed rows on the device; files are packed where they were
// read.
#include "app/engine/deep/distribute/rank_share.h"

#include "app/engine/deep/distribute/phase_watch.h"

#include <algorithm>

namespace fathom::deep {

RankShare::RankShare(gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup,
                     const ShareOptions& options)
    : gpu_(gpu),
      inputs_(inputs),
      setup_(setup),
      options_(options),
      pipeline_(gpu),
      errors_(inputs.count()) {
  if (!inputs.scene()) {
    own_.resize(inputs.count());
    for (auto i = std::size_t(options.rank); i < own_.size(); i += std::size_t(options.ranks))
      own_[i] = true;
    return;
  }
  dealt_ = deal(inputs.scene(), options.deal, options.rank, options.ranks);
  renderer_ = std::make_unique<SceneRenderer>(gpu, dealt_.scene);
  pipeline_.store.sortMethod = setup.settings.sort;
}

std::vector<PackedInput> RankShare::pack(const Rect& region) {
  before_ = figures_;
  try {
    figures_.rawBytes += 4 * std::uint64_t(region.area());
    return inputs_.scene() ? packScene(region) : packImages(region);
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

void RankShare::note(std::uint64_t fragments, const PackedInput& packed) {
  figures_.fragments += fragments;
  figures_.sentFragments += packed.rows.fragmentCount();
  figures_.rawBytes += 4 * std::uint64_t(wordsPerFragment(packed.rows.format)) * fragments;
}

std::vector<PackedInput> RankShare::packScene(const Rect& region) {
  std::vector<PackedInput> all;
  SceneCapture::View view{inputs_.camera(), inputs_.size(), region};
  view.camera.fitDepth(inputs_.scene()->bounds);
  for (const auto& [part, input] : dealt_.parts) {
    PhaseWatch watch;
    pipeline_.scenes.capture(*renderer_, part, view, setup_.shape, lists_);
    const std::uint64_t fragments = lists_.fragmentCount;
    FragmentLists* sent = &lists_;
    if (options_.thin > 0) {
      figures_.largestMove = std::max(figures_.largestMove,
                                      thinLists(pipeline_.store, lists_, options_.thin, thinned_));
      sent = &thinned_;
    }
    gpu_.finish();
    pipeline_.scenes.expectAll();
    figures_.captureMs += watch.ms();
    watch = {};
    PackedInput packed{input, {}};
    if (options_.thinError > 0) {
      DeepImage image =
          downloadLists(pipeline_.store, *sent, inputs_.origin(), savedHeader(inputs_, setup_));
      const Rect window = image.dataWindow;
      packed.rows = packRows(withinBound(input, image, window, 0), window);
    } else {
      packed.rows = packLists(pipeline_.store, *sent, inputs_.origin(), false);
    }
    figures_.packMs += watch.ms();
    note(fragments, packed);
    if (packed.rows.fragmentCount() > 0) all.push_back(std::move(packed));
  }
  return all;
}

DeepImage RankShare::withinBound(std::size_t input, const DeepImage& image, const Rect& window,
                                 std::uint32_t firstIndex) {
  const EditedInput one{&image, {}, firstIndex};
  MergeEdit edit;
  edit.thinError = options_.thinError;
  ThinReport report;
  DeepImage thinned = mergeEdited(std::span(&one, 1), edit, &report, window);
  if (report.error > errors_[input]) {
    figures_.errorSum += report.error - errors_[input];
    errors_[input] = report.error;
  }
  figures_.largestError = std::max(figures_.largestError, report.error);
  return thinned;
}

PackedInput RankShare::packImage(std::size_t input, const DeepImage& image, const Rect& window,
                                 std::uint32_t firstIndex) {
  PackedInput packed{std::uint32_t(input), {}};
  if (options_.thin > 0) {
    const EditedInput one{&image, {}, firstIndex};
    MergeEdit edit;
    edit.maxCount = options_.thin;
    ThinReport report;
    const DeepImage thinned = mergeEdited(std::span(&one, 1), edit, &report, window);
    figures_.largestMove = std::max(figures_.largestMove, report.move);
    packed.rows = packRows(thinned, window);
  } else if (options_.thinError > 0) {
    packed.rows = packRows(withinBound(input, image, window, firstIndex), window);
  } else {
    packed.rows = packRows(image, window, firstIndex);
  }
  return packed;
}

std::vector<PackedInput> RankShare::packImages(const Rect& region) {
  PhaseWatch watch;
  const Rect window = inputs_.windowOf(region);
  std::vector<DeepImage> rows;
  if (inputs_.streamed()) rows = inputs_.streamed()->read({region.y, region.bottom()}, own_);
  const std::span<const DeepImage> images =
      inputs_.streamed() ? std::span<const DeepImage>(rows) : inputs_.images();
  figures_.captureMs += watch.ms();
  watch = {};
  std::vector<PackedInput> all;
  std::uint32_t firstIndex = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (own_[i]) {
      PackedInput packed = packImage(i, images[i], window, firstIndex);
      std::uint64_t fragments = packed.rows.fragmentCount();
      if (options_.thin > 0 || options_.thinError > 0) {
        const Rect part = intersect(window, images[i].dataWindow);
        fragments = 0;
        for (int y = part.y; y < part.bottom(); ++y) {
          const std::size_t* row = &images[i].fragmentOffsets[images[i].pixelIndex(part.x, y)];
          fragments += row[part.width] - row[0];
        }
      }
      note(fragments, packed);
      if (packed.rows.fragmentCount() > 0) all.push_back(std::move(packed));
    }
    firstIndex += std::uint32_t(images[i].fragmentCount());
  }
  figures_.packMs += watch.ms();
  return all;
}

}  // namespace fathom::deep
