// SPDX-License-Identifier: BSD-3-Clause
// The longest part of a long frame is named in the log.
#include "app/window/frame_log.h"

#include "app/engine/core/log.h"
#include "app/engine/gpu/context.h"

#include <algorithm>
#include <ctime>

namespace fathom::viewer {
namespace {

constexpr double kLongMs = 100;

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Of all threads of the process.
double cpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

}  // namespace

void FrameLog::begin() {
  cpuStartMs_ = cpuMs();
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
  const double ms = msSince(frameStart_), cpu = cpuMs() - cpuStartMs_;
  const bool compiled = gpu::workCounts().compiles != compiles_;
  ++times_.frames;
  if (ms > kLongMs)
    log::info("frame: {:.0f} ms, of which {}: {:.0f} ms; {:.0f} ms of processor{}", ms, longestPart_,
              longestPartMs_, cpu, compiled ? ", compiling" : "");
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

}  // namespace fathom::viewer
