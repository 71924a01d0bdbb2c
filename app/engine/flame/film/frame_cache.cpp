// SPDX-License-Identifier: BSD-3-Clause
// Frames in the order in which they will be played: the first one missing is drawn next, the last
// one goes first when memory runs out.
#include "app/engine/flame/film/frame_cache.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::flame {
namespace {

/// Frames until this one is played.
int distance(int frame, int playhead, const FrameRange& range) {
  const int count = std::max(range.count(), 1);
  const int ahead = (frame - playhead) % count;
  return ahead < 0 ? ahead + count : ahead;
}

}  // namespace

FrameRange framesBetween(double firstTime, double lastTime, bool loop) {
  FrameRange range;
  range.first = int(std::ceil(firstTime - 1e-6));
  range.last = int(loop ? std::ceil(lastTime - 1e-6) - 1 : std::floor(lastTime + 1e-6));
  range.last = std::max(range.first, range.last);
  return range;
}

const SmallFrame* FrameCache::find(int frame, std::uint64_t key) const {
  const auto at = frames_.find(frame);
  return at != frames_.end() && at->second.key == key ? &at->second : nullptr;
}

void FrameCache::put(int frame, SmallFrame picture, int playhead, const FrameRange& range) {
  SmallFrame& place = frames_[frame];
  bytes_ -= place.rgba.size();
  bytes_ += picture.rgba.size();
  place = std::move(picture);
  while (bytes_ > budget_ && frames_.size() > 1) {
    const auto farther = [&](const auto& a, const auto& b) {
      const auto rank = [&](int f) {
        const bool played = f >= range.first && f <= range.last;
        return played ? distance(f, playhead, range) : range.count();
      };
      return rank(a.first) < rank(b.first);
    };
    const auto latest = std::max_element(frames_.begin(), frames_.end(), farther);
    bytes_ -= latest->second.rgba.size();
    frames_.erase(latest);
  }
}

std::optional<int> FrameCache::missing(int playhead, const FrameRange& range,
                                       const KeyOf& keyOf) const {
  const std::size_t each = frames_.empty() ? 1 : std::max<std::size_t>(1, bytes_ / frames_.size());
  const auto room = int(std::min<std::size_t>(budget_ / each, std::size_t(range.count())));
  const int start = std::clamp(playhead, range.first, range.last) - range.first;
  for (int i = 0; i < room; ++i) {
    const int frame = range.first + (start + i) % range.count();
    if (!find(frame, keyOf(frame))) return frame;
  }
  return std::nullopt;
}

void FrameCache::clear() {
  frames_.clear();
  bytes_ = 0;
}

}  // namespace fathom::flame
