// SPDX-License-Identifier: BSD-3-Clause
// Long work in slices without running the device dry: Pacer lets it be two slices behind the
// processor, SliceTimer tells afterwards what slices took there.
#pragma once

#include "app/engine/gpu/handle.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace fathom::gpu {

class Context;

/// One for all work of a context; use it through Context::pace().
class Pacer {
 public:
  Pacer() = default;
  ~Pacer();
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;

  /// Ends a slice, and waits until at most two are unfinished. Throws DeviceLost.
  void pace();
  /// Forgets the slices: the device has been waited for, or is gone.
  void clear();

 private:
  std::deque<void*> fences_;  // of the slices in flight, oldest first
};

/// What slices of one kind take on the device. Never waits: what is known is the past.
class SliceTimer {
 public:
  explicit SliceTimer(Context& context);
  ~SliceTimer();
  SliceTimer(const SliceTimer&) = delete;
  SliceTimer& operator=(const SliceTimer&) = delete;

  void begin();
  /// `work` in units of the caller: samples, tiles, ... With many slices in flight, some are not
  /// timed.
  void end(double work);
  /// Units per millisecond in the newest slice that has finished; 0 until one has.
  double rate();
  /// Slices that have finished, each once, oldest first; the last few are remembered.
  struct Finished {
    double work, ms;
  };
  std::optional<Finished> take();

 private:
  struct Slice {
    GlId start, end;
    double work;
  };
  Context& context_;
  std::vector<GlId> free_;
  void finished(double work, double ms);
  std::deque<Slice> slices_;  // oldest first
  std::deque<Finished> finished_;
  GlId open_ = 0;
  double openMs_ = 0, rate_ = 0;
};

}  // namespace fathom::gpu
