// SPDX-License-Identifier: BSD-3-Clause
// Frames: when the window draws one, and how long the main thread worked on it.
#pragma once

#include "app/window/document/picture_maker.h"
#include "app/window/viewer.h"
#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

class Window;

/// How long the main thread works on each frame and on what, waiting for the monitor left out.
/// Frames in which the driver compiles programs are counted apart.
class FrameLog {
 public:
  void begin();
  /// What the frame did since the last call, or since begin(), was this.
  void part(const char* name);
  void end();
  const FrameTimes& times() const { return times_; }

 private:
  FrameTimes times_;
  Clock::time_point frameStart_{}, partStart_{};
  double longestPartMs_ = 0, cpuStartMs_ = 0;
  const char* longestPart_ = "";
  std::uint64_t compiles_ = 0;  // before this frame
};

/// When the window draws: at once while something is to be done, a few frames after each event, now
/// and then for what changes on the screen by itself, else not at all.
class FramePacer {
 public:
  /// The references must outlive it. `scripted`: frames come at a script's own rate.
  FramePacer(const Workspace& workspace, const Window& window, bool scripted);

  /// An event came: hovering and layout settle within a few frames.
  void event();
  /// At least one more frame after this one.
  void another();
  /// A frame begins.
  void begin();
  /// The technique has worked in this frame.
  void worked() { lastWork_ = Clock::now(), another(); }
  /// The frame has drawn what there was: the times of the GPU, and what goes on beside it.
  void drawn(bool background, bool thumbnails);

  /// When to draw next.
  Clock::time_point next() const;
  Clock::time_point lastFrame() const { return lastFrame_; }
  /// Nothing is left to be done.
  bool idle() const { return !pending(); }
  /// The same, and the times of the last work have arrived.
  bool rested() const;

 private:
  std::optional<Clock::time_point> pending() const;

  const Workspace& w_;
  const Window& window_;
  const bool scripted_;
  int wanted_;  // frames to be drawn even if nothing else is pending
  bool background_ = false, thumbnails_ = false;
  std::uint64_t drawnTimings_ = 0;
  Clock::time_point lastFrame_{}, lastWork_{};
};

}  // namespace fathom::viewer
