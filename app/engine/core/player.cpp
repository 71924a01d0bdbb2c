// SPDX-License-Identifier: BSD-3-Clause
// Frames by the clock: counted from when playing started, around the end where the film loops.
#include "app/engine/core/player.h"

namespace fathom {

FrameRange framesBetween(double firstTime, double lastTime, bool loop) {
  FrameRange range;
  range.first = int(std::ceil(firstTime - 1e-6));
  range.last = int(loop ? std::ceil(lastTime - 1e-6) - 1 : std::floor(lastTime + 1e-6));
  range.last = std::max(range.first, range.last);
  return range;
}

void Player::start(int frame, const FrameRange& range, Clock::time_point now) {
  const bool outside = frame < range.first || frame > range.last;
  from_ = outside || (frame == range.last && !loop) ? range.first : frame;
  started_ = now;
  playing_ = true;
}

double Player::framesSince(Clock::time_point now) const {
  return std::chrono::duration<double>(now - started_).count() * frameRate;
}

int Player::frameAt(Clock::time_point now, const FrameRange& range) const {
  // Tolerates rounding at the end of the last frame.
  const double played = std::floor(framesSince(now) + 1e-6);
  const double frame = double(std::clamp(from_, range.first, range.last) - range.first) + played;
  if (!loop) return range.first + int(std::min(frame, double(range.count() - 1)));
  return range.first + int(std::fmod(frame, double(range.count())));
}

bool Player::ended(Clock::time_point now, const FrameRange& range) const {
  return !loop && double(from_) + framesSince(now) >= double(range.last + 1);
}

Player::Clock::time_point Player::nextAt(Clock::time_point now) const {
  const double next = (std::floor(framesSince(now) + 1e-6) + 1) / frameRate;
  return started_ +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(next));
}

void Player::resume(Clock::time_point now, const FrameRange& range) {
  from_ = frameAt(now, range);
  started_ = now;
}

}  // namespace fathom
