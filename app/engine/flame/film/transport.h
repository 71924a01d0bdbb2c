// SPDX-License-Identifier: BSD-3-Clause
// The transport controls of a film: play, stop, loop, seek, scrub. Moves the timeline's playhead,
// by itself while a film is played.
#pragma once

#include "app/engine/core/fields.h"
#include "app/window/parts.h"
#include "app/engine/flame/film/player.h"
#include "app/engine/flame/film/settings.h"
#include "app/engine/flame/film/timeline.h"

#include <optional>

namespace fathom::flame {

class Transport : public Playing {
 public:
  using Clock = Player::Clock;
  /// The timeline stays the caller's.
  explicit Transport(Timeline& timeline) : timeline_(timeline) {}

  const Timeline& timeline() const { return timeline_; }
  /// Followed by takeChange().
  PlaybackSettings& settings() { return settings_; }
  const PlaybackSettings& settings() const { return settings_; }

  bool playing() const { return player_.playing(); }
  void play(bool on);
  /// Moves the playhead; playing stops.
  void goTo(double time);
  /// To a whole frame `frames` further; from the end to the beginning where it loops.
  void goBy(int frames);
  /// The playhead is being dragged: pictures are to be quick rather than good.
  bool scrubbing() const { return scrubbing_; }
  void setScrubbing(bool on);
  /// Other genomes are open now.
  void reset();

  /// The frames that are played, and the one under the playhead.
  FrameRange range() const;
  int frame() const;

  /// Once per frame of the window: moves the playhead to the frame that is due. What the picture
  /// needs since last time.
  Effect takeChange(Clock::time_point now);
  /// The picture of the frame under the playhead has become available.
  void frameArrived() { arrived_ = true; }

  bool animated() const override { return playing(); }
  std::optional<Clock::time_point> dueAt() const override;

 private:
  bool tick(Clock::time_point now);
  void followSettings(Clock::time_point now);

  Timeline& timeline_;
  PlaybackSettings settings_;
  Player player_;
  bool scrubbing_ = false;
  bool arrived_ = false;
  Effect asked_ = Effect::None;
};

}  // namespace fathom::flame
