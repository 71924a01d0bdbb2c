// SPDX-License-Identifier: BSD-3-Clause
// Everything merged or composited once, band by band, for the commands. Three stages run beside
// each other: the files of band n + 1 are read while band n is merged on the device while band
// n - 1 is handed on (encoded and written). Inputs leave the memory as soon as they are on the
// device, and an output is not fetched before the one before it is gone; so what is held is the
// inputs of one band and the output of one band, and one band on the device.
#include "app/core/deep_channels.h"
#include "app/techniques/deep/reference.h"
#include "app/techniques/deep/technique.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <optional>

namespace fathom::deep {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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
  DeepImage part;
  part.dataWindow = intersect(image.dataWindow, region);
  part.format = image.format;
  part.hasZBack = image.hasZBack;
  for (const DeepChannel& channel : image.channels)
    part.channels.push_back({channel.name, channel.type, {}});
  for (int y = part.dataWindow.y; y < part.dataWindow.bottom(); ++y)
    for (int x = part.dataWindow.x; x < part.dataWindow.right(); ++x) {
      const std::span<const std::uint32_t> list = image.list(x, y);
      part.words.insert(part.words.end(), list.begin(), list.end());
      part.fragmentOffsets.push_back(part.words.size() / std::size_t(image.stride()));
    }
  return part;
}

/// For colors that do not fit the words of a fragment.
Image flattenOnCpu(const std::vector<DeepImage>& images, const Rect& region, const Peel& peel) {
  std::vector<DeepImage> parts;
  for (const DeepImage& image : images) parts.push_back(regionOf(image, region));
  DeepImage merged = reference::merge(parts);
  gather(images, merged);
  return reference::flatten(merged, region, peel);
}

}  // namespace

/// Bands whose buffers fit the device and whose sum fits the budget, from the rows' fragments. A
/// scene's are not known before it is drawn: it starts as one band, which is cut when it must be.
std::vector<Rows> DeepTechnique::bandRows() const {
  if (scene_) return {{0, size_.y}};
  const std::vector<std::uint64_t> counts =
      files_ ? files_->rowCounts() : rowCounts(images_, window_);
  const ListShape lists = shape();
  const bool linked = lists.layout == Layout::LinkedList;
  const double fragmentBytes = lists.words() * kWordBytes;
  // Read, staged, laid out; merged once per round; written.
  const double rounds = std::ceil(std::log2(double(std::max<std::size_t>(2, inputCount()))));
  const double allBytes = fragmentBytes * (4 + rounds) + (linked ? 8 : 0);
  const double slack = linked ? 1.2 : 1.02;
  const auto block = double(gpu_->memory().blockLimit());
  std::vector<double> load;
  for (const std::uint64_t count : counts) {
    const double fragments = double(count), pixels = double(size_.x) + 4;
    load.push_back(
        std::max({(fragments * allBytes + pixels * kBytesPerPixel) / double(bandBudget_),
                  fragments * fragmentBytes * slack / block, pixels * kWordBytes * slack / block}));
  }
  RowGrid grid = files_ ? files_->grid() : RowGrid{};
  if (bandStep_ > grid.step) grid = {bandStep_, 0};
  return planBands(load, grid);
}

template <class Output>
void DeepTechnique::runBands(gpu::Context& gpu, Progress& progress, const BandJob<Output>& job) {
  if (gpu_ != &gpu || !pipeline_) {
    gpu_ = &gpu;
    pipeline_ = std::make_unique<Pipeline>(gpu);
    renderer_.reset();
  }
  settle();
  bands_.clear();
  bandFacts_ = {};
  applyThickness();
  progress.begin("merging", double(size_.y));

  const std::vector<Rows> plan = bandRows();
  std::size_t next = 0;  // the band to read
  std::future<std::vector<DeepImage>> reading;
  std::future<void> handing;
  const auto readNext = [&] {
    if (!files_ || reading.valid() || next >= plan.size()) return;
    reading = std::async(std::launch::async,
                         [files = files_, rows = plan[next++]] { return files->read(rows); });
  };
  const auto waitFor = [&](auto& future) {
    const auto start = Clock::now();
    future.wait();
    bandFacts_.waitedMs += millisecondsSince(start);
    return future.get();
  };

  Band band;  // its buffers serve one region after the other
  const auto runOnce = [&](const Rect& region) {
    progress.throwIfCancelled();
    if (files_ && images_.empty()) images_ = files_->read({region.y, region.bottom()});
    band.region = region;
    for (std::size_t i = 0; i < inputCount(); ++i) acquire(band, i);
    const bool indexed = shape().format == FragmentFormat::Indexed;
    if (files_ && !indexed) images_.clear();  // their values are needed at the end
    readNext();
    job.work(band);
    if (handing.valid()) waitFor(handing);
    Output output = job.take(band);
    if (files_) images_.clear();
    std::uint64_t fragments = 0;
    for (const FragmentLists& lists : band.inputs) fragments += lists.fragmentCount;
    bandFacts_.fragmentsIn += fragments;
    bandFacts_.maxFragments = std::max(bandFacts_.maxFragments, fragments);
    return output;
  };
  // Bands span the width so that they can be written as rows: a strip that is too large by itself
  // is cut into columns and put together again here.
  const auto runColumns = [&](const Rect& region, const DoesNotFit& why, auto&& self) -> Output {
    release(band);
    std::optional<Output> joined;
    for (const Rect& part : cut(region, why)) {
      std::optional<Output> columns;
      try {
        columns = runOnce(part);
      } catch (const DoesNotFit& reason) {
        columns = self(part, reason, self);
      }
      joined = joined ? job.join(std::move(*joined), std::move(*columns)) : std::move(*columns);
    }
    return std::move(*joined);
  };
  const auto runRows = [&](const Rect& region, auto&& self) -> void {
    std::optional<Output> output;
    try {
      output = runOnce(region);
    } catch (const DoesNotFit& reason) {
      release(band);
      if (region.height > 8) {
        for (const Rect& part : cut(region, reason)) self(part, self);
        return;
      }
      output = runColumns(region, reason, runColumns);
    }
    ++bandFacts_.bands;
    if (handing.valid()) waitFor(handing);
    handing = std::async(std::launch::async, [&job, moved = std::move(*output)]() mutable {
      job.consume(std::move(moved));
    });
    progress.advance(region.height);
  };
  readNext();
  for (const Rows& rows : plan) {
    if (files_) images_ = waitFor(reading);
    runRows({0, rows.first, size_.x, rows.count()}, runRows);
  }
  if (handing.valid()) waitFor(handing);
  fragmentsIn_ = bandFacts_.fragmentsIn;
}

void DeepTechnique::mergeBands(gpu::Context& gpu, Progress& progress, const Consume& consume) {
  const DeepImage like = emptyMerged();
  const FragmentLists* merged = nullptr;
  BandJob<DeepImage> job;
  const bool onCpu = like.format == FragmentFormat::Indexed && hasEdits(true);
  largestMove_ = 0;
  job.work = [&](Band& band) {
    if (!onCpu) merged = mergeWithEdits(band, true, mergeEdit(true))[0];
  };
  job.take = [&](Band& band) {
    if (onCpu) return mergeOnCpu(band.region, true);
    DeepImage image = pipeline_->download(*merged, {window_.x, window_.y}, like);
    if (image.format == FragmentFormat::Indexed) gather(images_, image);
    return image;
  };
  job.join = [](DeepImage&& left, DeepImage&& right) {
    return joinRegions(std::move(left), std::move(right));
  };
  job.consume = consume;
  runBands(gpu, progress, job);
}

void DeepTechnique::flattenBands(gpu::Context& gpu, Progress& progress,
                                 const ConsumePicture& consume) {
  const bool indexed = shape().format == FragmentFormat::Indexed;
  gpu::Texture picture;
  BandJob<Image> job;
  job.work = [&](Band& band) {
    if (indexed) return;
    if (picture.width() != band.region.width || picture.height() != band.region.height)
      picture = {};
    if (!picture)
      picture = gpu::Texture(gpu, "picture of a band", gpu::TextureFormat::Rgba32f,
                             band.region.width, band.region.height);
    for (FragmentLists& lists : band.inputs) lists.region.x = lists.region.y = 0;
    composite(band, picture);
  };
  job.take = [&](Band& band) {
    if (!indexed) return picture.downloadImage();
    const Rect window{band.region.x + window_.x, band.region.y + window_.y, band.region.width,
                      band.region.height};
    if (hasEdits(false)) return flattened(editedInputs(), window);
    return flattenOnCpu(images_, window, settings_.seeing.peeled());
  };
  job.join = [](Image&& left, Image&& right) { return joinPictures(left, right); };
  job.consume = consume;
  runBands(gpu, progress, job);
}

DeepImage joinRegions(DeepImage first, DeepImage second) {
  std::vector<DeepImage> regions;
  regions.push_back(std::move(first));
  regions.push_back(std::move(second));
  const bool indexed = regions[0].format == FragmentFormat::Indexed;
  if (indexed)
    for (std::size_t i = 0; i < regions[1].words.size(); i += 4)
      regions[1].words[i] += std::uint32_t(regions[0].fragmentCount());
  DeepImage joined = reference::merge(regions);
  if (indexed) gather(regions, joined);
  return joined;
}

}  // namespace fathom::deep
