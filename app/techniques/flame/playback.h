// SPDX-License-Identifier: BSD-3-Clause
// Playing a film in the window: small pictures of its frames, drawn in slices and kept while they
// are right, and the playhead that runs over them. Nothing is drawn unless the film is played.
#pragma once

#include "app/techniques/flame/exposure.h"
#include "app/techniques/flame/frame_cache.h"
#include "app/techniques/flame/player.h"
#include "app/techniques/flame/rendering.h"
#include "app/techniques/flame/settings.h"
#include "app/techniques/flame/timeline.h"

#include <memory>
#include <optional>

namespace fathom::flame {

class Playback {
 public:
  using Clock = Player::Clock;
  explicit Playback(Timeline& timeline) : timeline_(timeline) {}

  bool playing() const { return player_.playing(); }
  void play();
  void stop();
  /// tick() follows them.
  PlaybackSettings& settings() { return settings_; }
  const PlaybackSettings& settings() const { return settings_; }
  /// The frames that are played.
  FrameRange range() const;

  /// Once per frame: moves the playhead to what is due; true when there is another frame to show.
  bool tick(Clock::time_point now);
  /// When tick() has more to do; none while nothing is played.
  std::optional<Clock::time_point> dueAt() const;

  /// One slice of drawing frames that are missing; true while more are.
  bool step(gpu::Context& gpu, const Settings& settings, std::uint64_t seed, double budgetMs);
  /// Of every frame of range(), whether it is there.
  std::vector<bool> kept(const Settings& settings) const;
  /// Makes the frame at the playhead the picture; false when it is not there.
  bool show(gpu::Context& gpu, const Settings& settings);
  const gpu::Texture& picture() const { return picture_; }
  /// Other genomes are open now.
  void reset();
  const FrameCache& cache() const { return cache_; }

 private:
  void followSettings(Clock::time_point now);
  std::uint64_t keyOf(int frame, std::uint64_t settingsKey) const;
  int playhead() const;

  Timeline& timeline_;
  PlaybackSettings settings_;
  Player player_;
  FrameCache cache_{std::size_t(256) << 20};
  std::unique_ptr<Rendering> rendering_;
  std::optional<int> drawing_;  // the frame that rendering_ is at
  std::uint64_t drawingKey_ = 0, shownKey_ = 0;
  bool arrived_ = false;  // the frame at the playhead came in late
  gpu::Texture picture_;
};

}  // namespace fathom::flame
