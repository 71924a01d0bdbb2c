// SPDX-License-Identifier: BSD-3-Clause
// Where the playhead goes: by the player's clock, by steps of frames, or to a time.
#include "app/engine/flame/film/transport.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::flame {
namespace {

constexpr double kRounding = 1e-6;  // frames

}  // namespace

void Transport::play(bool on) {
  if (on == playing()) return;
  if (on && timeline_.moves()) {
    followSettings(Clock::now());
    player_.start(int(std::floor(timeline_.time() + kRounding)), range(), Clock::now());
  } else if (!on) {
    player_.stop();
    asked_ = Effect::Rebuild;
  }
}

void Transport::goTo(double time) {
  play(false);
  timeline_.setTime(time);
}

void Transport::goBy(int frames) {
  const double from = timeline_.time();
  if (!timeline_.moves()) return goTo(std::round(from) + frames);
  const FrameRange all = range();
  const int whole = int(frames > 0 ? std::floor(from + kRounding) : std::ceil(from - kRounding));
  int to = whole + frames;
  if (settings_.loop) to = to > all.last ? all.first : to < all.first ? all.last : to;
  goTo(std::clamp(to, all.first, all.last));
}

void Transport::setScrubbing(bool on) {
  if (scrubbing_ && !on) asked_ = Effect::Rebuild;
  scrubbing_ = on;
}

void Transport::reset() {
  player_.stop();
  scrubbing_ = false;
}

FrameRange Transport::range() const {
  return framesBetween(timeline_.firstTime(), timeline_.lastTime(), settings_.loop);
}

int Transport::frame() const {
  const FrameRange frames = range();
  return std::clamp(int(std::floor(timeline_.time() + kRounding)), frames.first, frames.last);
}

/// The frame that is due stays the same under another rate.
void Transport::followSettings(Clock::time_point now) {
  if (player_.frameRate == settings_.frameRate && player_.loop == settings_.loop) return;
  if (playing())
    player_.resume(now, framesBetween(timeline_.firstTime(), timeline_.lastTime(), player_.loop));
  player_.frameRate = settings_.frameRate;
  player_.loop = settings_.loop;
}

Effect Transport::takeChange(Clock::time_point now) {
  followSettings(now);
  Effect effect = std::exchange(asked_, Effect::None);
  const bool played = playing();
  if (tick(now)) effect = std::max(effect, Effect::Redraw);
  // At rest the picture is drawn in full.
  return played && !playing() ? Effect::Rebuild : effect;
}

/// True when there is another frame to show.
bool Transport::tick(Clock::time_point now) {
  if (!playing()) return false;
  if (!timeline_.moves()) return player_.stop(), true;
  const int due = player_.frameAt(now, range());
  // The end is shown before the film comes to rest there.
  if (player_.ended(now, range()) && timeline_.time() == due) return player_.stop(), true;
  const bool moved = timeline_.time() != due;
  timeline_.setTime(due);
  return std::exchange(arrived_, false) || moved;
}

std::optional<Transport::Clock::time_point> Transport::dueAt() const {
  if (!playing()) return std::nullopt;
  return arrived_ ? Clock::now() : player_.nextAt(Clock::now());
}

}  // namespace fathom::flame
