// SPDX-License-Identifier: BSD-3-Clause
// What a dispatch costs at most, estimated beside it, so that long work is cut before a watchdog
// does: displays are reset after 2 s (Windows) or less, and a window on the same device waits for
// each dispatch to end.
#pragma once

#include "app/core/error.h"

#include <algorithm>
#include <cstdint>

namespace fathom::gpu {

/// On a modest device: 5 TFLOP/s, of which arithmetic on integers with branches sees a tenth, and
/// 500 ns for a read that waits for the one before it.
struct DispatchCost {
  double operations = 0;      // of all invocations together
  double dependentReads = 0;  // of the longest invocation

  double ms() const { return std::max(operations / 0.5e9, dependentReads * 500e-6); }
};

/// No dispatch takes longer, by its estimate.
inline constexpr double kMaxDispatchMs = 100;

/// Stands beside a dispatch whose sizes are bounded already, with its estimate.
inline void expectShort(const DispatchCost& cost) {
  FATHOM_CHECK_OP(cost.ms(), <=, kMaxDispatchMs);
}

/// How many items one dispatch may take, at least 1, when each costs as much as `perItem` and they
/// run beside one another.
inline std::uint64_t itemsPerDispatch(const DispatchCost& perItem) {
  if (perItem.operations <= 0) return UINT64_MAX;
  return std::uint64_t(
      std::clamp(kMaxDispatchMs * 0.5e9 / perItem.operations, 1.0, double(UINT32_MAX)));
}

/// Calls run(first, count) for slices of [0, items) of at most `slice` items, in order.
template <class Run>
void inSlices(std::uint64_t items, std::uint64_t slice, const Run& run) {
  for (std::uint64_t first = 0; first < items; first += std::min(slice, items - first))
    run(first, std::min(slice, items - first));
}

}  // namespace fathom::gpu
