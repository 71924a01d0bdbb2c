// SPDX-License-Identifier: BSD-3-Clause
// The clock of the slice that runs.
#include "app/gpu/sliced_work.h"

#include "app/core/stages.h"

namespace fathom::gpu {
namespace {

thread_local std::optional<TimeBudget> sliceLeft;  // while sliced work runs
thread_local int undivided = 0;                    // alive

}  // namespace

bool SlicedWork::resume(double ms) {
  sliceLeft.emplace(ms);
  const struct Over {
    ~Over() { sliceLeft.reset(); }
  } over;
  bool ended = true;
  try {
    ended = fiber_->resume();
  } catch (...) {
    fiber_.reset();
    throw;
  }
  if (ended) fiber_.reset();
  return ended;
}

Undivided::Undivided() { ++undivided; }
Undivided::~Undivided() { --undivided; }

bool isSliced() { return sliceLeft && undivided == 0 && Fiber::canLeave(); }
bool sliceSpent() { return isSliced() && sliceLeft->spent(); }
void endSlice() { Fiber::leave(); }

}  // namespace fathom::gpu
