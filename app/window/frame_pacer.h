// SPDX-License-Identifier: BSD-3-Clause
// When the window draws: at once while something is to be done, a few frames after each event,
// now and then for what changes on the screen by itself, else not at all.
#pragma once

#include "app/window/workspace/workspace.h"

#include <cstdint>
#include <optional>

namespace fathom::viewer {

class Window;

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
