// SPDX-License-Identifier: BSD-3-Clause
// Asks the parts of the window what each still has to do.
#include "app/window/frame_pacer.h"

#include "app/window/platform/window.h"

#include <algorithm>
#include <chrono>

namespace fathom::viewer {
namespace {

constexpr int kFramesAfterEvent = 3;                     // hovering and layout settle within these
constexpr std::chrono::milliseconds kTimersArrive{400};  // after the last work of the GPU
constexpr std::chrono::milliseconds kTimersInterval{100}, kProgressInterval{33};
constexpr std::chrono::milliseconds kFadingInterval{250}, kScriptInterval{5};

}  // namespace

FramePacer::FramePacer(const Workspace& workspace, const Window& window, bool scripted)
    : w_(workspace), window_(window), scripted_(scripted), wanted_(kFramesAfterEvent) {}

void FramePacer::event() { wanted_ = kFramesAfterEvent; }

void FramePacer::another() { wanted_ = std::max(wanted_, 2); }

void FramePacer::begin() {
  // Events that had to wait come to this frame, not to the one after their arrival.
  if (window_.hasQueuedInput()) wanted_ = kFramesAfterEvent + 1;
  wanted_ = std::max(0, wanted_ - 1);
  lastFrame_ = Clock::now();
}

void FramePacer::drawn(bool background, bool thumbnails) {
  background_ = background;
  thumbnails_ = thumbnails;
  drawnTimings_ = w_.gpu.timings().finishedFrames();
}

/// When what is still to be done needs a frame though no event comes; none: the window is idle.
std::optional<Clock::time_point> FramePacer::pending() const {
  const bool atOnce = wanted_ > 0 || window_.hasQueuedInput() || w_.cameraControl.flying() ||
                      w_.recorder.running() || background_ || w_.messages.settling() ||
                      w_.gpu.timings().finishedFrames() != drawnTimings_ ||
                      (w_.compare.stale(w_.document) && w_.document.complete());
  if (atOnce) return Clock::now();
  std::optional<Clock::time_point> due = w_.document.pictures().dueAt();
  if (w_.document.loader().loading() || w_.compare.working() || w_.statistics.working() ||
      w_.writer.working() || thumbnails_) {
    const auto progress = lastFrame_ + kProgressInterval;
    due = due ? std::min(*due, progress) : progress;
  }
  return due;
}

Clock::time_point FramePacer::next() const {
  const auto now = Clock::now();
  auto next = pending().value_or(now + std::chrono::hours(1));
  const auto every = [&](std::chrono::milliseconds interval) {
    next = std::min(next, lastFrame_ + interval);
  };
  if (scripted_) every(kScriptInterval);
  if (w_.messages.fading()) every(kFadingInterval);
  if (now - lastWork_ < kTimersArrive) every(kTimersInterval);
  return next;
}

bool FramePacer::rested() const { return idle() && Clock::now() - lastWork_ > kTimersArrive; }

}  // namespace fathom::viewer
