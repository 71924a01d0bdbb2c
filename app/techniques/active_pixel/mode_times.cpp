// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/active_pixel/mode_times.h"

#include <algorithm>

namespace fathom::active_pixel {
namespace {
constexpr std::size_t kMaxPictures = 180;  // one turn of 2 degrees each
}

void ModeHistory::begin(std::uint64_t picture, std::size_t parts, std::size_t rounds) {
  if (picture_ == picture) return;
  picture_ = picture;
  current_ = {};
  done_ = 0, round_ = parts * kModes, total_ = round_ * rounds;
}

bool ModeHistory::step(Parts& parts, const PartView& view, Method method) {
  if (done_ == total_) return false;
  const std::size_t mode = done_ % kModes;
  const std::size_t part = done_ % round_ / kModes;
  const Parts::Measured measured = parts.measure(part, view, Mode(mode), method);
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
