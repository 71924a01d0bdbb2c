// SPDX-License-Identifier: BSD-3-Clause
// Steps go through modes first, then ranks, then rounds; a round that is complete is kept.
#include "app/engine/active_pixel/distribute/mode_times.h"

#include <algorithm>

namespace fathom::active_pixel {
namespace {
constexpr std::size_t kMaxPictures = 180;  // one turn of 2 degrees each
}

void ModeHistory::begin(std::uint64_t picture, std::size_t ranks, std::size_t rounds) {
  if (picture_ == picture) return;
  picture_ = picture;
  current_ = {};
  done_ = 0, round_ = ranks * kModeCount, total_ = round_ * rounds;
}

bool ModeHistory::step(LocalRanks& ranks, const RankView& view, Method method) {
  if (done_ == total_) return false;
  const std::size_t mode = done_ % kModeCount;
  const std::size_t rank = done_ % round_ / kModeCount;
  const LocalRanks::Measured measured = ranks.measure(rank, view, Mode(mode), method);
  Sample& sample = current_[mode];
  if (measured.times.read + measured.times.compress > sample.totalMs())
    sample.readMs = measured.times.read, sample.compressMs = measured.times.compress;
  sample.bytes += measured.bytes;
  if (++done_ % round_ > 0) return true;
  pictures_.push_back(current_);
  current_ = {};
  if (pictures_.size() > kMaxPictures) pictures_.pop_front();
  return done_ < total_;
}

}  // namespace fathom::active_pixel
