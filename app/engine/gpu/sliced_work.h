// SPDX-License-Identifier: BSD-3-Clause
// Long work for a window that must not freeze, on renderers that work on the processor: it runs on
// a fiber, and whenever a slice's time is spent it is left between two pieces of a pass. Passes cut
// themselves into pieces while they run there (pass.cpp). Elsewhere everything here does nothing.
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
/// While one lives, work is neither cut nor left: for what measures how long it takes.
class Undivided {
 public:
  Undivided();
  ~Undivided();
  Undivided(const Undivided&) = delete;
  Undivided& operator=(const Undivided&) = delete;
};
/// Between two pieces of sliced work: true when the slice's time is spent and work may be left here.
/// Then the caller puts aside what others may use meanwhile, and calls endSlice().
bool sliceSpent();
/// Leaves the work until its next slice. Throws Fiber::Abandoned.
void endSlice();
/// For code that holds nothing: leaves if the time is spent.
inline void mayEndSlice() {
  if (sliceSpent()) endSlice();
}

/// What the processor computes without the device: sliced work leaves while another thread does it.
/// `stop` is called when the work is abandoned meanwhile; the other thread is waited for.
template <class Compute>
std::invoke_result_t<Compute> besideFrames(Compute compute, const std::function<void()>& stop = {}) {
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
