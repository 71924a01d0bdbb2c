// SPDX-License-Identifier: BSD-3-Clause
// How films play in the window: the transport moves the playhead, frames are drawn small and kept,
// and the ruler says which part of time the strip of the timeline shows.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/player.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/flame/timeline.h"
#include "app/window/parts.h"

namespace fathom::flame {

/// Play, stop, loop, seek, scrub: moves the timeline's playhead, by itself while a film is played.
class Transport : public Playing {
 public:
  using Clock = Player::Clock;
  /// Both stay the caller's.
  Transport(Timeline& timeline, PlaybackSettings& settings)
      : timeline_(timeline), settings_(settings) {}

  const Timeline& timeline() const { return timeline_; }
  /// Followed by advance().
  PlaybackSettings& settings() const { return settings_; }

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

  /// Once per frame of the window: moves the playhead to the frame that is due. True when there is
  /// another picture to show since last time.
  bool advance(Clock::time_point now);
  /// The picture of the frame under the playhead has become available.
  void frameArrived() { arrived_ = true; }

  bool animated() const override { return playing(); }
  bool moves(const std::string& setting) const override { return setting == "time"; }
  std::optional<Clock::time_point> dueAt() const override;

 private:
  bool tick(Clock::time_point now);
  void followSettings(Clock::time_point now);

  Timeline& timeline_;
  PlaybackSettings& settings_;
  Player player_;
  bool scrubbing_ = false;
  bool arrived_ = false;
  bool stopped_ = false;  // since the last advance()
};

/// sRGB and alpha, premultiplied in linear light: uint8_t[height][width][4].
struct SmallFrame {
  std::uint64_t key = 0;  // what the picture depends on
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgba;
};

/// The small frames of a film. Which frame is worth drawing next, and which has to go when memory
/// runs out, follows from where the film is being played.
class FrameCache {
 public:
  explicit FrameCache(std::size_t budgetBytes) : budget_(budgetBytes) {}
  /// The key that a frame's picture must have to be shown.
  using KeyOf = std::function<std::uint64_t(int frame)>;

  bool has(int frame) const { return frames_.contains(frame); }
  /// Null when there is none, or it shows something else.
  const SmallFrame* find(int frame, std::uint64_t key) const;
  /// Takes the place of an older one. Frames that are played latest from `playhead` on go first
  /// when the budget is exceeded.
  void put(int frame, SmallFrame picture, int playhead, const FrameRange& range);
  /// The first one missing from the playhead on, around the end and on from the beginning, as far
  /// as there is memory for; none: all are there.
  std::optional<int> missing(int playhead, const FrameRange& range, const KeyOf& keyOf) const;
  void clear();

  std::size_t bytes() const { return bytes_; }
  std::size_t count() const { return frames_.size(); }

 private:
  std::size_t budget_, bytes_ = 0;
  std::map<int, SmallFrame> frames_;
};

/// The pictures of a film that is played or scrubbed: small frames, drawn in slices in the order in
/// which they will be needed, and kept while they still show what the film is.
class FilmPreview {
 public:
  /// One slice of drawing the next missing frame; true while more are missing. The transport is
  /// told when the frame under its playhead arrives.
  bool step(gpu::Context& gpu, Transport& transport, const Settings& settings, std::uint64_t seed,
            double budgetMs);
  /// Makes the frame at the playhead the picture; false when it is not there.
  bool show(gpu::Context& gpu, const Transport& transport, const Settings& settings);
  const gpu::Texture& picture() const { return picture_; }
  /// For every frame of Transport::range(), whether it is there.
  std::vector<bool> kept(const Transport& transport, const Settings& settings) const;
  /// Other genomes are open now.
  void reset();

 private:
  void start(gpu::Context& gpu, const Transport& transport, const Settings& settings,
             std::uint64_t seed);

  static constexpr std::size_t kCacheBytes = std::size_t(256) << 20;
  FrameCache cache_{kCacheBytes};
  std::unique_ptr<Rendering> rendering_;
  std::optional<int> drawing_;                   // the frame that rendering_ draws
  std::uint64_t drawingKey_ = 0, shownKey_ = 0;  // of that frame, of picture_
  gpu::Texture picture_;
};

/// Between times and places along a strip of the window: marks at round numbers, zoom and pan.
class Ruler {
 public:
  /// A film with some room at both ends, more behind it, where it may continue.
  void fit(double first, double last);
  /// The strip on the window, in pixels.
  void place(float x, float width);
  double timeAt(float x) const { return low_ + double(x - x_) / double(width_) * (high_ - low_); }
  float xAt(double time) const;
  /// The time under x stays there.
  void zoomAt(float x, double factor);
  void pan(float pixels);
  /// Scrolls until a time is visible.
  void show(double time);
  /// Frames between marks that are at least `pixels` apart: 1, 2, 5, 10, ...
  double step(float pixels) const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 0, high_ = 100;
  float x_ = 0, width_ = 100;
};

}  // namespace fathom::flame
