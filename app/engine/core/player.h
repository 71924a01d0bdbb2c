// SPDX-License-Identifier: BSD-3-Clause
// The clock of everything that plays (films, pulls of focus, numbered files): which frame is due at
// which time. Frames that come too late are left out, so that the film keeps its speed.
//
//   player.start(shown, range, Player::Clock::now());
//   ...once per frame of the window: show(player.frameAt(now, range)), or player.resume(now, range)
//   where all frames are to be seen and the one that was due came late.
#pragma once

namespace fathom {

/// Frames that are played: whole numbers from `first` to `last`, both included.
struct FrameRange {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
  bool operator==(const FrameRange&) const = default;
};

/// The whole frames of a film between two times: a loop ends one frame early, as its end is its
/// beginning.
FrameRange framesBetween(double firstTime, double lastTime, bool loop);

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
  /// The frame after the one it was started or resumed with is due.
  bool nextIsDue(Clock::time_point now) const { return framesSince(now) + 1e-6 >= 1; }
  /// When the frame after the one of now is due.
  Clock::time_point nextAt(Clock::time_point now) const;
  /// nextAt() as long as it plays, for Playing::dueAt().
  std::optional<Clock::time_point> dueAt(Clock::time_point now) const {
    return playing_ ? std::optional(nextAt(now)) : std::nullopt;
  }
  /// Counts from the frame of now on: before another rate or range, and where no frame is left out.
  void resume(Clock::time_point now, const FrameRange& range);

 private:
  double framesSince(Clock::time_point now) const;
  bool playing_ = false;
  int from_ = 0;
  Clock::time_point started_{};
};

}  // namespace fathom
