// SPDX-License-Identifier: BSD-3-Clause
// Dispatches with what they cost at most, estimated beside them, so that long work is cut before a
// watchdog does it: displays are reset after 2 s (Windows) or less, and a window on the same device
// waits for each dispatch to end. All code of the program dispatches by these; a test holds that.
#pragma once

#include "app/engine/core/error.h"

#include <algorithm>
#include <cstdint>

namespace fathom::gpu {

class Pass;
class RawBuffer;

/// On a modest device: 5 TFLOP/s, of which arithmetic on integers with branches sees a tenth, and
/// 500 ns for a read that waits for the one before it.
struct DispatchCost {
  double operations = 0;      // of all invocations together
  double dependentReads = 0;  // of the longest invocation

  double ms() const { return std::max(operations / 0.5e9, dependentReads * 500e-6); }
};

/// Of every invocation, all of which work alike.
struct Each {
  double operations = 0, dependentReads = 0;

  DispatchCost of(std::uint64_t count) const { return {operations * double(count), dependentReads}; }
};

/// No dispatch takes longer, by its estimate.
inline constexpr double kMaxDispatchMs = 100;

/// As Pass::dispatch(). What would take longer than kMaxDispatchMs is done by several dispatches;
/// where the shader has no firstGroup (shaders/common/invocation.glsl), or one invocation alone
/// takes as long, hardware refuses it with DoesNotFit. Software renderers know no watchdog.
void dispatch(Pass& pass, std::uint64_t invocations, const DispatchCost& cost);
void dispatch(Pass& pass, std::uint64_t invocations, const Each& invocation);
/// As Pass::dispatchGroups(), likewise.
void dispatchGroups(Pass& pass, std::uint64_t groups, const DispatchCost& cost);
void dispatchGroups(Pass& pass, std::uint64_t groups, const Each& invocation);
/// As Pass::dispatchGrid(), likewise: cut into rows of groups where the shader takes gridGroup().
void dispatchGrid(Pass& pass, unsigned groupsX, unsigned groupsY, const DispatchCost& cost);
void dispatchGrid(Pass& pass, unsigned groupsX, unsigned groupsY, const Each& invocation);
/// As Pass::dispatchIndirect(), in one piece; the cost is of the most groups that there can be.
void dispatchIndirect(Pass& pass, const RawBuffer& commands, std::int64_t offsetBytes,
                      const DispatchCost& cost);

}  // namespace fathom::gpu
