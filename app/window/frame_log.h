// SPDX-License-Identifier: BSD-3-Clause
// How long the main thread works on each frame and on what, waiting for the monitor left out.
// Frames in which the driver compiles programs are counted apart.
#pragma once

#include "app/window/document/picture_maker.h"
#include "app/window/view_options.h"

namespace fathom::viewer {

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

}  // namespace fathom::viewer
