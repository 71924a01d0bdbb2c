// SPDX-License-Identifier: BSD-3-Clause
// The picture of what is at the playhead: a still, a moment between two keyframes or a frame with
// motion blur, which gets better the longer it is drawn. Begins anew only when the difference to
// what it shows asks for it.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/flame/timeline.h"

namespace fathom::flame {

class PlayheadPicture {
 public:
  /// Both stay the caller's; `names` are the files that an error tells of.
  PlayheadPicture(const Timeline& timeline, const std::vector<std::string>& names)
      : timeline_(timeline), names_(names) {}

  /// How it is drawn besides the settings.
  struct Mode {
    std::uint64_t seed = 1;
    bool quick = false;    // small, while a gesture is in progress
    bool blurred = false;  // with the shutter open, where genomes move
    bool operator==(const Mode&) const = default;
  };
  /// One slice of what is at the playhead, begun anew where what has changed since asks for it;
  /// true when the picture is complete. Throws Error, which names file and flame.
  bool step(gpu::Context& gpu, const Settings& settings, const Mode& mode, double budgetMs);
  /// All of it, without pictures on the way. Returns the seconds that drawing samples took.
  double draw(gpu::Context& gpu, const Settings& settings, const Mode& mode, Progress& progress);
  /// Draws a frame of an animation in full; returns the seconds that drawing samples took.
  double drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure,
                   const Settings& settings, std::uint64_t seed, Progress& progress);
  /// The next step() begins anew.
  void restart() { begun_ = false; }
  /// Lets go of what was drawn: the same bytes follow as from a new one.
  void reset() { rendering_.reset(), begun_ = false; }

  /// Null before the first step() or draw().
  const Rendering* rendering() const { return rendering_.get(); }
  bool begun() const { return begun_; }

 private:
  Rendering& renderingOn(gpu::Context& gpu);
  bool fromMotion(const Mode& mode) const;
  Redo redoSince(const Settings& settings, const Mode& mode) const;
  void begin(const Settings& settings, const Mode& mode, bool anew);
  double drawAll(gpu::Context& gpu, Progress& progress);
  void logFirstPicture();

  const Timeline& timeline_;
  const std::vector<std::string>& names_;
  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<Rendering> rendering_;
  Genome drawn_;  // the genome that the rendering shows
  /// What else it was begun with.
  struct Key {
    Settings settings;
    Mode mode;
    std::uint64_t revision = 0;  // of the timeline
    double time = 0;
  };
  Key key_;
  bool begun_ = false;
  bool interrupted_ = false;  // a step was left in its middle, between pieces of a dispatch
  struct Begun {
    Stopwatch since;
    double cpuMs = 0;
  };
  std::optional<Begun> awaited_;  // a picture of what was begun last
};

}  // namespace fathom::flame
