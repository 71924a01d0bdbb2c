// SPDX-License-Identifier: BSD-3-Clause
// Where steps are timed apart, each is waited for before the next: drawing, compressing, bringing
// to the host. Otherwise the device's own clock says what they took.
#include "app/engine/active_pixel/distribute/local_ranks.h"

#include "app/engine/active_pixel/distribute/icet.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/stopwatch.h"

namespace fathom::active_pixel {
namespace {

/// Milliseconds since the stopwatch was started, and starts it again.
double lap(Stopwatch& watch) {
  const double ms = watch.ms();
  watch.restart();
  return ms;
}

/// The region alone: IceT's viewport makes it look at nothing else.
Frame regionOf(const Frame& frame, const Region& region) {
  Frame cut(frame.format, region.width, region.height);
  copyRegion(frame, region, cut, 0, 0);
  return cut;
}

/// Milliseconds of the processor's compressor, IceT's own where there is one.
double hostCompressMs(const Frame& frame) {
  const auto compress = icet::compression(frame);
  const Stopwatch watch;
  compress();
  return watch.ms();
}

}  // namespace

LocalRanks::LocalRanks(gpu::Context& gpu)
    : gpu_(gpu), compressor_(gpu), renderTimer_(gpu), compressTimer_(gpu) {}

void LocalRanks::add(std::shared_ptr<const Share> share) {
  LocalRank rank;
  rank.renderer = std::make_unique<ShareRenderer>(gpu_, share, targets_);
  rank.share = std::move(share);
  ranks_.push_back(std::move(rank));
}

void LocalRanks::compress(std::size_t index, const RankView& view, Mode mode, Method method) {
  LocalRank& rank = ranks_[index];
  Measured measured;
  const ShareRenderer::Drawn drawn = draw(index, view, measured);
  rank.region = drawn.region;
  if (mode == Mode::Gpu) {
    rank.sparse = compressOnGpu(drawn, view, method, measured);
  } else {
    const Region read = readFrame(drawn, view, mode, measured);
    const Stopwatch watch;
    rank.sparse = reference::encode(frame_, view.size.x, view.size.y, {read, read});
    measured.times.compress = watch.ms();
  }
  rank.times = measured.times;
  keep(rank, view.format.compositing);
}

void LocalRanks::keep(LocalRank& rank, Compositing compositing) {
  rank.facts = reference::check(rank.sparse.words, compositing, "part");
  rank.lengths = runLengths(rank.sparse.words);
}

const DeviceImage& LocalRanks::begin(std::size_t index, const RankView& view, Method method) {
  LocalRank& rank = ranks_[index];
  renderTimer_.begin();
  const ShareRenderer::Drawn drawn = drawRank(index, view);
  renderTimer_.end(double(index));
  rank.region = drawn.region;
  compressTimer_.begin();
  const int slot =
      compressor_.compress({drawn.color, drawn.depth, view.format, view.size.x, view.size.y,
                            Placement{drawn.region, drawn.region}, rank.sparse.bytes()},
                           method);
  compressTimer_.end(double(index));
  underWay_.push_back({index, slot, view.format.compositing});
  return compressor_.image(slot);
}

void LocalRanks::take() {
  const Begun begun = underWay_.front();
  underWay_.pop_front();
  LocalRank& rank = ranks_[begun.rank];
  const Stopwatch watch;
  const Compressor::Result result = compressor_.result(begun.slot);
  rank.sparse.words.assign(result.words.begin(), result.words.end());
  rank.times.read = watch.ms();
  keep(rank, begun.compositing);
  const auto note = [&](gpu::SliceTimer& timer, double ModeTimes::*field) {
    timer.rate();  // takes in those that have finished
    while (const auto slice = timer.take())
      if (std::size_t(slice->work) < ranks_.size())
        ranks_[std::size_t(slice->work)].times.*field = slice->ms;
  };
  note(renderTimer_, &ModeTimes::render);
  note(compressTimer_, &ModeTimes::compress);
}

LocalRanks::Measured LocalRanks::measure(std::size_t index, const RankView& view, Mode mode,
                                         Method method) {
  Measured measured;
  const ShareRenderer::Drawn drawn = draw(index, view, measured);
  if (mode == Mode::Gpu) {
    compressOnGpu(drawn, view, method, measured);
    return measured;
  }
  const Region read = readFrame(drawn, view, mode, measured);
  if (!read.empty())
    measured.times.compress = hostCompressMs(mode == Mode::Roi ? regionOf(frame_, read) : frame_);
  return measured;
}

ShareRenderer::Drawn LocalRanks::drawRank(std::size_t index, const RankView& view) {
  const std::optional<glm::vec3> color =
      view.rankColors ? std::optional(rankColor(int(index))) : std::nullopt;
  return ranks_[index].renderer->draw(view.camera, view.size, view.format, color, true);
}

ShareRenderer::Drawn LocalRanks::draw(std::size_t index, const RankView& view, Measured& measured) {
  gpu_.finish();
  const Stopwatch watch;
  const ShareRenderer::Drawn drawn = drawRank(index, view);
  gpu_.finish();
  measured.times.render = watch.ms();
  return drawn;
}

SparseImage LocalRanks::compressOnGpu(const ShareRenderer::Drawn& drawn, const RankView& view,
                                      Method method, Measured& measured) {
  Stopwatch watch;
  const int slot = compressor_.compress({drawn.color, drawn.depth, view.format, view.size.x,
                                         view.size.y, Placement{drawn.region, drawn.region}},
                                        method);
  gpu_.finish();
  measured.times.compress = lap(watch);
  const Compressor::Result result = compressor_.result(slot);
  measured.times.read = lap(watch);
  measured.bytes = result.words.size_bytes();
  return {{result.words.begin(), result.words.end()}};
}

/// Into frame_: the whole frame, or its region. Returns what was read.
Region LocalRanks::readFrame(const ShareRenderer::Drawn& drawn, const RankView& view, Mode mode,
                             Measured& measured) {
  const Region read = mode == Mode::Roi ? drawn.region : Region{0, 0, view.size.x, view.size.y};
  const Stopwatch watch;
  readBack(drawn, view.format, view.size, read, frame_);
  measured.times.read = watch.ms();
  measured.bytes = std::uint64_t(read.area()) * std::uint64_t(view.format.payloadBytes());
  return read;
}

}  // namespace fathom::active_pixel
