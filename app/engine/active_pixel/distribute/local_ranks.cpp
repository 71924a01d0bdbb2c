// SPDX-License-Identifier: BSD-3-Clause
// Where steps are timed apart, each is waited for before the next: drawing, compressing, bringing
// to the host. Otherwise the device's own clock says what they took.
#include "app/engine/active_pixel/distribute/local_ranks.h"

#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/stopwatch.h"

namespace fathom::active_pixel {

LocalRanks::LocalRanks(gpu::Context& gpu)
    : gpu_(gpu), compressor_(gpu), renderTimer_(gpu), compressTimer_(gpu) {}

void LocalRanks::add(std::shared_ptr<const Share> share) {
  LocalRank rank;
  rank.renderer = std::make_unique<ShareRenderer>(gpu_, share, targets_);
  rank.share = std::move(share);
  ranks_.push_back(std::move(rank));
}

void LocalRanks::compress(std::size_t index, const RankView& view, Mode mode, Method method) {
  if (mode == Mode::Gpu) {
    begin(index, view, method);
    return take();
  }
  LocalRank& rank = ranks_[index];
  gpu_.finish();
  Stopwatch watch;
  const auto lap = [&] { return std::exchange(watch, Stopwatch()).ms(); };
  const ShareRenderer::Drawn drawn = drawRank(index, view);
  gpu_.finish();
  rank.times.render = lap();
  rank.region = drawn.region;
  const Region read = mode == Mode::Roi ? drawn.region : Region{0, 0, view.size.x, view.size.y};
  readBack(drawn, view.format, view.size, read, frame_);
  rank.times.read = lap();
  rank.sparse = reference::encode(frame_, view.size.x, view.size.y, {read, read});
  rank.times.compress = lap();
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

ShareRenderer::Drawn LocalRanks::drawRank(std::size_t index, const RankView& view) {
  const std::optional<glm::vec3> color =
      view.rankColors ? std::optional(rankColor(int(index))) : std::nullopt;
  return ranks_[index].renderer->draw(view.camera, view.size, view.format, color, true);
}

}  // namespace fathom::active_pixel
