// SPDX-License-Identifier: BSD-3-Clause
// Keeps the window responsive on software renderers: long work runs on a fiber in slices of limited
// time, and is suspended between two pieces of a pass when a slice's time is spent. Passes split
// themselves into pieces while they run there (pass.cpp). Outside of such work nothing here acts.
#pragma once

#include "app/engine/core/fiber.h"

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <type_traits>
#include <utility>

namespace fathom::gpu {

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
  std::optional<Fiber> fiber_;
};

/// The calling code is sliced work.
bool isSliced();
/// While one lives, work is neither split nor suspended: for code that measures its own time.
class NoYield {
 public:
  NoYield();
  ~NoYield();
  NoYield(const NoYield&) = delete;
  NoYield& operator=(const NoYield&) = delete;
};
/// Between two pieces of sliced work: true when the slice's time is spent and work may be left here.
/// Then the caller puts aside what others may use meanwhile, and calls endSlice().
bool sliceSpent();
/// Leaves the work until its next slice. Throws Fiber::Abandoned.
void endSlice();
/// Suspends the work if the slice's time is spent: for code that holds nothing others may use.
inline void yieldIfOverBudget() {
  if (sliceSpent()) endSlice();
}

/// Returns compute(), which does not use the GL context. Sliced work runs it on another thread and is
/// suspended until it is done, so that frames are drawn meanwhile. If the work is abandoned, `stop` is
/// called and the thread is waited for.
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

}  // namespace fathom::gpu
