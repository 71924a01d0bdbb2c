// SPDX-License-Identifier: BSD-3-Clause
// Planning bands, running them, and cutting those that do not fit the device after all.
#include "app/engine/deep/bands/band_merger.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/reference.h"

#include <future>

namespace fathom::deep {
namespace {

constexpr double kWordBytes = 4;
/// Host: offsets of the inputs read and of the output written. Device: offsets, tables and groups
/// of the inputs and of the merged image.
constexpr double kBytesPerPixel = 64;

/// `right` beside `left`.
Image joinPictures(const Image& left, const Image& right) {
  FATHOM_CHECK_OP(left.height, ==, right.height);
  Image joined(left.width + right.width, left.height);
  for (int y = 0; y < joined.height; ++y) {
    const auto row = joined.pixels.begin() + std::ptrdiff_t(y) * joined.width;
    std::copy_n(left.pixels.begin() + std::ptrdiff_t(y) * left.width, left.width, row);
    std::copy_n(right.pixels.begin() + std::ptrdiff_t(y) * right.width, right.width,
                row + left.width);
  }
  return joined;
}

/// The lists of a region, without values.
DeepImage regionOf(const DeepImage& image, const Rect& region) {
  DeepImage part = emptyLike(image, intersect(image.dataWindow, region));
  for (int y = part.dataWindow.y; y < part.dataWindow.bottom(); ++y)
    for (int x = part.dataWindow.x; x < part.dataWindow.right(); ++x) {
      const std::span<const std::uint32_t> list = image.list(x, y);
      part.words.insert(part.words.end(), list.begin(), list.end());
      part.fragmentOffsets.push_back(part.words.size() / std::size_t(part.stride()));
    }
  return part;
}

}  // namespace

// ---- Bands

/// Bands whose buffers fit the device and whose sum fits the budget, from the rows' fragments. A
/// scene's are not known before it is drawn: it starts as one band, which is cut when it must be.
std::vector<Rows> BandMerger::planRows() {
  const glm::ivec2 size = inputs_.size();
  if (inputs_.scene()) return {{0, size.y}};
  const StreamedFiles* files = inputs_.streamed().get();
  const std::vector<std::uint64_t> counts =
      files ? files->rowCounts()
            : rowCounts(inputs_.images(), inputs_.windowOf({0, 0, size.x, size.y}));
  const ListShape& lists = setup_.shape;
  const double fragmentBytes = lists.words() * kWordBytes;
  // Read, staged, laid out; merged once per round; written.
  const double rounds = std::ceil(std::log2(double(std::max<std::size_t>(2, inputs_.count()))));
  const double allBytes = fragmentBytes * (4 + rounds) + (isLinked(lists) ? 8 : 0);
  const double slack = isLinked(lists) ? 1.2 : 1.02;
  const auto block = double(loader_.gpu().memory().blockLimit());
  std::vector<double> load;
  for (const std::uint64_t count : counts) {
    const double fragments = double(count), pixels = double(size.x) + 4;
    load.push_back(
        std::max({(fragments * allBytes + pixels * kBytesPerPixel) / double(budget_),
                  fragments * fragmentBytes * slack / block, pixels * kWordBytes * slack / block}));
  }
  RowGrid grid = files ? files->grid() : RowGrid{};
  if (rowStep_ > grid.step) grid = {rowStep_, 0};
  return planBands(load, grid);
}

void BandMerger::readNext() {
  if (!inputs_.streamed() || reading_.valid() || next_ >= plan_.size()) return;
  reading_ = std::async(std::launch::async, [files = inputs_.streamed(), rows = plan_[next_++]] {
    return files->read(rows);
  });
}

template <class Future>
auto BandMerger::waitFor(Future& future) {
  const Stopwatch watch;
  future.wait();
  facts_.waitedMs += watch.ms();
  return future.get();
}

template <class Output>
Output BandMerger::runOnce(const Rect& region, Progress& progress, const Job<Output>& job) {
  progress.throwIfCancelled();
  const bool streamed = inputs_.streamed() != nullptr;
  if (streamed && rows_.empty()) rows_ = inputs_.streamed()->read({region.y, region.bottom()});
  band_.region = region;
  const auto onDevice = [&] {
    for (std::size_t i = 0; i < inputs_.count(); ++i)
      loader_.load(inputs_, images(), setup_, i, band_);
    if (streamed && !job.readsRows) rows_.clear();  // their values are needed at the end
    readNext();
    job.work(band_);
    if (handing_.valid()) waitFor(handing_);
    Output output = job.take(band_);
    loader_.pipeline().expectWhole();
    return output;
  };
  Output output = [&] {
    try {
      return onDevice();
    } catch (const ListTooLong&) {
      if (inputs_.scene()) throw;
      if (streamed && rows_.empty()) rows_ = inputs_.streamed()->read({region.y, region.bottom()});
      return job.onHost(region);
    }
  }();
  loader_.pipeline().scenes.expectAll();
  if (streamed) rows_.clear();
  band_.noteFragments();
  facts_.fragmentsIn += band_.fragmentCount;
  facts_.maxFragments = std::max(facts_.maxFragments, band_.fragmentCount);
  return output;
}

/// Bands span the width so that they can be written as rows: a strip that is too large by itself is
/// cut into columns and put together again here.
template <class Output>
Output BandMerger::runColumns(const Rect& region, const gpu::DoesNotFit& why, Progress& progress,
                              const Job<Output>& job) {
  band_.release();
  std::optional<Output> joined;
  for (const Rect& part : cut(region, why)) {
    std::optional<Output> columns;
    try {
      columns = runOnce(part, progress, job);
    } catch (const gpu::DoesNotFit& reason) {
      columns = runColumns(part, reason, progress, job);
    }
    joined = joined ? job.join(std::move(*joined), std::move(*columns)) : std::move(*columns);
  }
  return std::move(*joined);
}

template <class Output>
void BandMerger::runRows(const Rect& region, Progress& progress, const Job<Output>& job) {
  std::optional<Output> output;
  try {
    output = runOnce(region, progress, job);
  } catch (const gpu::DoesNotFit& reason) {
    band_.release();
    if (region.height > 8) {
      for (const Rect& part : cut(region, reason)) runRows(part, progress, job);
      return;
    }
    output = runColumns(region, reason, progress, job);
  }
  ++facts_.bands;
  if (handing_.valid()) waitFor(handing_);
  handing_ = std::async(std::launch::async, [&job, moved = std::move(*output)]() mutable {
    job.consume(std::move(moved));
  });
  progress.advance(region.height);
}

template <class Output>
void BandMerger::run(Progress& progress, const Job<Output>& job) {
  facts_ = {};
  band_.release();
  rows_.clear();
  const glm::ivec2 size = inputs_.size();
  progress.begin("merging", double(size.y));
  plan_ = planRows();
  next_ = 0;
  // Threads of this call must not outlive it: `job` belongs to the caller.
  const struct Joined {
    BandMerger& merger;
    ~Joined() {
      if (merger.handing_.valid()) merger.handing_.wait();
      merger.handing_ = {}, merger.reading_ = {};
    }
  } joined{*this};
  readNext();
  for (const Rows& rows : plan_) {
    if (inputs_.streamed()) rows_ = waitFor(reading_);
    runRows({0, rows.first, size.x, rows.count()}, progress, job);
  }
  if (handing_.valid()) waitFor(handing_);
}

// ---- Merging and compositing

DeepImage BandMerger::mergeOnHost(const Rect& region) {
  const Edits edits = setup_.edits(Purpose::File);
  return mergeEdited(editedInputs(images(), edits), edits.merged, &facts_.thinned,
                     inputs_.windowOf(region));
}

/// What the device does not: fewer fragments within a bound.
DeepImage BandMerger::thinnedOnHost(DeepImage&& merged) {
  const MergeEdit all = setup_.edits(Purpose::File).merged;
  if (all.thinError <= 0) return std::move(merged);
  if (merged.format == FragmentFormat::Rgba8) makeIndexed(merged);  // saved as half
  MergeEdit thin;
  thin.thinError = all.thinError, thin.thinRelative = all.thinRelative;
  thin.thinDepth = all.thinDepth;
  return mergeEdited(withEdits(std::span(&merged, 1)), thin, &facts_.thinned);
}

Image BandMerger::flattenOnHost(const Rect& region) const {
  const Edits edits = setup_.edits(Purpose::Picture);
  const Rect window = inputs_.windowOf(region);
  const Peel peel = setup_.settings.view.peeled();
  if (!edits.isNothing())
    return flattenEdited(editedInputs(images(), edits), edits.merged, window, peel);
  std::vector<DeepImage> parts;
  for (const DeepImage& image : images()) parts.push_back(regionOf(image, window));
  DeepImage merged = reference::merge(parts);
  if (setup_.isIndexed()) gather(images(), merged);
  return reference::flatten(merged, window, peel);
}

void BandMerger::merge(Progress& progress, const std::function<void(DeepImage&& band)>& consume) {
  const DeepImage like = savedHeader(inputs_, setup_);
  const bool onHost = setup_.isIndexed() && !setup_.edits(Purpose::File).isNothing();
  EditedMerge merging(loader_.pipeline(), setup_);
  const FragmentLists* merged = nullptr;
  Job<DeepImage> job;
  job.work = [&](Band& band) {
    if (!onHost) merged = &merging.merge(band, Purpose::File);
  };
  job.take = [&](Band& band) {
    if (onHost) return mergeOnHost(band.region);
    DeepImage image = downloadLists(loader_.pipeline(), *merged, inputs_.origin(), like);
    if (image.format == FragmentFormat::Indexed) gather(images(), image);
    return thinnedOnHost(std::move(image));
  };
  job.readsRows = setup_.isIndexed();
  job.onHost = [&](const Rect& region) { return mergeOnHost(region); };
  job.join = joinRegions;
  job.consume = consume;
  run(progress, job);
  facts_.thinned.add({merging.largestMove(), 0, 0});
}

void BandMerger::flatten(Progress& progress, const std::function<void(Image&& rows)>& consume) {
  gpu::Texture picture;
  EditedMerge merging(loader_.pipeline(), setup_);
  Job<Image> job;
  // What is held on the device is rounded to halves before it is composited.
  job.readsRows =
      setup_.isIndexed() || (!inputs_.scene() && setup_.edits(Purpose::Picture).holds());
  job.work = [&](Band& band) {
    if (job.readsRows) return;
    gpu::ensure(loader_.gpu(), picture, "image of a band", gpu::TextureFormat::Rgba32f,
                {band.region.width, band.region.height});
    for (FragmentLists& lists : band.inputs) lists.region.x = lists.region.y = 0;
    merging.composite(band, picture);
  };
  job.take = [&](Band& band) {
    return job.readsRows ? flattenOnHost(band.region) : picture.downloadImage();
  };
  job.onHost = [&](const Rect& region) { return flattenOnHost(region); };
  job.join = joinPictures;
  job.consume = consume;
  run(progress, job);
}

}  // namespace fathom::deep
