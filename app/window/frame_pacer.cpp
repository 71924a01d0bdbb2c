// SPDX-License-Identifier: BSD-3-Clause
// Draws at once while something is to be done, a few frames after each event, else not at all.
#include "app/window/frame_pacer.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"
#include "app/window/platform/window.h"
#include "app/window/ui/widgets.h"

namespace fathom::viewer {
// ---- How long frames take

namespace {

constexpr double kLongMs = 100;

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

void FrameLog::begin() {
  cpuStartMs_ = processorMs();
  partStart_ = frameStart_ = Clock::now();
  longestPartMs_ = 0;
  compiles_ = gpu::workCounts().compiles;
}

void FrameLog::part(const char* name) {
  const double ms = msSince(partStart_);
  if (ms > longestPartMs_) longestPartMs_ = ms, longestPart_ = name;
  partStart_ = Clock::now();
}

void FrameLog::end() {
  const double ms = msSince(frameStart_), cpu = processorMs() - cpuStartMs_;
  const bool compiled = gpu::workCounts().compiles != compiles_;
  ++times_.frames;
  if (ms > kLongMs)
    log::info("frame: {:.0f} ms, of which {}: {:.0f} ms; {:.0f} ms of processor{}", ms,
              longestPart_, longestPartMs_, cpu, compiled ? ", compiling" : "");
  if (compiled) {
    times_.longestCompilingMs = std::max(times_.longestCompilingMs, ms);
    return;
  }
  if (ms > kLongMs) ++times_.above100Ms;
  times_.longestCpuMs = std::max(times_.longestCpuMs, cpu);
  if (ms <= times_.longestMs) return;
  times_.longestMs = ms;
  times_.longestPart = longestPart_;
}

// ---- When to draw

constexpr int kFramesAfterEvent = 3;                     // hovering and layout settle within these
constexpr std::chrono::milliseconds kTimersArrive{400};  // after the last work of the GPU
constexpr std::chrono::milliseconds kTimersInterval{100}, kProgressInterval{33};
constexpr std::chrono::milliseconds kFadingInterval{250}, kScriptInterval{5};

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
  const auto tooltip = ui::tooltipDue();
  return due && tooltip ? std::min(due, tooltip) : due ? due : tooltip;
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
