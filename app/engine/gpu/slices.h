// SPDX-License-Identifier: BSD-3-Clause
// Long work in slices of limited time: suspended on a fiber between two pieces, paced so that the
// device is never far behind, and ended by an error when the device is lost.
#pragma once

#include "app/engine/core/error.h"
#include "app/engine/gpu/handle.h"
#include "app/system/fiber.h"

#include <future>

namespace fathom::gpu {

// ---- A lost device

// Its driver crashed or was updated, a watchdog reset it, it was unplugged. Everything that lay on
// it is gone then, and its context is of no more use.

/// The context is dead; a new one can be made. "the GPU was reset: ..., what was on it is lost".
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// Throws DeviceLost when the current context was lost, from then on each time; asks the driver,
/// which takes no time.
void throwIfLost();

/// Another context is current now.
void forgetDeviceLoss();

/// For tests: the next throwIfLost() of any thread finds a lost device. May be called by a handler
/// of signals.
void simulateDeviceLoss();

// ---- Work on a fiber

// Keeps the window responsive on software renderers: long work runs on a fiber in slices of limited
// time, and is suspended between two pieces of a pass when a slice's time is spent. Passes split
// themselves into pieces while they run there (pass.cpp). Outside of such work nothing here acts.

class SlicedWork {
 public:
  /// What was left is abandoned, and `work` begins with the next resume().
  void start(std::function<void()> work) { fiber_.emplace(std::move(work)); }
  /// Goes on for about `ms`; true: it has ended. Passes on what it throws.
  bool resume(double ms);
  /// There is something to resume.
  bool pending() const { return fiber_.has_value(); }
  /// Unwinds what was left in its middle: nothing of it refers to anything any more.
  void abandon() { fiber_.reset(); }

 private:
  std::optional<system::Fiber> fiber_;
};

/// The calling code is sliced work.
bool isSliced();
/// While one lives, work is neither split nor suspended: for code that measures its own time.
struct NoYield : Counted {
  NoYield();
};
/// Between two pieces of sliced work: true when the slice's time is spent and work may be left
/// here. Then the caller puts aside what others may use meanwhile, and calls endSlice().
bool sliceSpent();
/// Leaves the work until its next slice. Throws system::Fiber::Abandoned.
void endSlice();
/// Suspends the work if the slice's time is spent: for code that holds nothing others may use.
inline void yieldIfOverBudget() {
  if (sliceSpent()) endSlice();
}

/// Returns compute(), which does not use the GL context. Sliced work runs it on another thread and
/// is suspended until it is done, so that frames are drawn meanwhile. If the work is abandoned,
/// `stop` is called and the thread is waited for.
template <class Compute>
std::invoke_result_t<Compute> runAsync(Compute compute, const std::function<void()>& stop = {}) {
  if (!isSliced()) return compute();
  auto result = std::async(std::launch::async, std::move(compute));
  constexpr std::chrono::milliseconds kWait{20};  // then a frame is drawn
  try {
    while (result.wait_for(kWait) != std::future_status::ready) endSlice();
  } catch (...) {
    if (stop) stop();
    result.wait();
    throw;
  }
  return result.get();
}

// ---- How far the device is behind

// Long work in slices without running the device dry: Pacer lets it be two slices behind the
// processor, SliceTimer tells afterwards what slices took there.

class Context;

/// One for all work of a context; use it through Context::pace().
class Pacer {
 public:
  /// Ends a slice, and waits until at most two are unfinished. Throws DeviceLost.
  void pace();
  /// Forgets the slices: the device has been waited for, or is gone.
  void clear() { fences_.clear(); }

 private:
  std::deque<Fence> fences_;  // of the slices in flight, oldest first
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
