// SPDX-License-Identifier: BSD-3-Clause
// The clock of a film that plays: which frame is due at which time. Frames
// that come too late are left out, so that the film keeps its speed.
#pragma once

#include "app/engine/flame/film/frame_cache.h"

#include <chrono>
#include <optional>

namespace fathom::flame {

class Player {
 public:
  using Clock = std::chrono::steady_clock;

  double frameRate = 24;  // frames per second
  bool loop = true;

  bool playing() const { return playing_; }
  /// From this frame on, and from the beginning when that is the last one.
  void start(int frame, const FrameRange& range, Clock::time_point now);
  void stop() { playing_ = false; }
  /// The frame that is due. At the end of what is no loop it is the last one, and ended() holds.
  int frameAt(Clock::time_point now, const FrameRange& range) const;
  bool ended(Clock::time_point now, const FrameRange& range) const;
  /// When the next frame is due.
  Clock::time_point nextAt(Clock::time_point now) const;
  /// Continues from the current frame with another rate or range.
  void resume(Clock::time_point now, const FrameRange& range);

 private:
  double framesSince(Clock::time_point now) const;
  bool playing_ = false;
  int from_ = 0;
  Clock::time_point started_{};
};

}  // namespace fathom::flame
