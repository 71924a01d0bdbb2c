// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/active_pixel/parts.h"

#include "app/techniques/active_pixel/engine.h"
#include "app/techniques/active_pixel/icet.h"
#include "app/techniques/active_pixel/reference.h"

#include <algorithm>
#include <chrono>

namespace fathom::active_pixel {
namespace {

class Clock {
 public:
  /// Milliseconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> spent = now - last_;
    last_ = now;
    return spent.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The region alone, as IceT is told by its viewport to look at nothing else.
Frame regionOf(const Frame& frame, const Region& region) {
  Frame part(frame.format, region.width, region.height);
  const auto bytes = std::size_t(frame.format.colorBytes());
  for (int y = 0; y < region.height; ++y) {
    const std::size_t from =
        std::size_t(region.y + y) * std::size_t(frame.width) + std::size_t(region.x);
    const std::size_t to = std::size_t(y) * std::size_t(region.width);
    const auto width = std::size_t(region.width);
    std::copy_n(frame.color.data() + from * bytes, width * bytes, part.color.data() + to * bytes);
    if (!frame.depth.empty()) std::copy_n(frame.depth.data() + from, width, part.depth.data() + to);
  }
  return part;
}

/// Milliseconds of the processor's compressor, IceT's own where there is one.
double compressMs(const Frame& frame) {
  if (engineAvailable()) return icet::compressMs(frame);
  Clock clock;
  reference::encode(frame);
  return clock.lap();
}

}  // namespace

Parts::Parts(gpu::Context& gpu) : gpu_(gpu), compressor_(gpu) {}

void Parts::add(std::shared_ptr<const Share> share) {
  Part part;
  part.renderer = std::make_unique<ShareRenderer>(gpu_, share, targets_);
  part.share = std::move(share);
  parts_.push_back(std::move(part));
}

Parts::Measured Parts::run(std::size_t index, const PartView& view, Mode mode, Method method,
                           SparseImage* sparse, Region& region) {
  Part& part = parts_[index];
  Measured measured;
  gpu_.finish();
  Clock clock;
  const std::optional<glm::vec3> color =
      view.partColors ? std::optional(partColor(int(index))) : std::nullopt;
  const ShareRenderer::Drawn drawn =
      part.renderer->draw(view.camera, view.size, view.format, color, true);
  gpu_.finish();
  measured.times.render = clock.lap();
  region = drawn.region;
  const Placement placement{region, region};
  const int width = view.size.x, height = view.size.y;
  if (mode == Mode::Gpu) {
    const int slot = compressor_.compress(
        {drawn.color, drawn.depth, view.format, width, height, placement}, method);
    gpu_.finish();
    measured.times.compress = clock.lap();
    const Compressor::Result result = compressor_.result(slot);
    measured.times.read = clock.lap();
    measured.bytes = result.words.size_bytes();
    if (sparse) sparse->words.assign(result.words.begin(), result.words.end());
    return measured;
  }
  const Region read = mode == Mode::Roi ? region : Region{0, 0, width, height};
  readBack(drawn, view.format, view.size, read, frame_);
  measured.times.read = clock.lap();
  measured.bytes = std::uint64_t(std::max(0, read.width)) *
                   std::uint64_t(std::max(0, read.height)) *
                   std::uint64_t(view.format.payloadBytes());
  if (sparse) {
    *sparse = reference::encode(frame_, width, height, {read, read});
    measured.times.compress = clock.lap();
  } else if (!read.empty()) {
    measured.times.compress = compressMs(mode == Mode::Roi ? regionOf(frame_, read) : frame_);
  }
  return measured;
}

void Parts::compress(std::size_t index, const PartView& view, Mode mode, Method method) {
  Part& part = parts_[index];
  part.times = run(index, view, mode, method, &part.sparse, part.region).times;
  part.facts = reference::check(part.sparse.words, view.format.compositing, "part");
  part.lengths = runLengths(part.sparse.words);
}

Parts::Measured Parts::measure(std::size_t index, const PartView& view, Mode mode, Method method) {
  Region region;
  return run(index, view, mode, method, nullptr, region);
}

}  // namespace fathom::active_pixel
