// SPDX-License-Identifier: BSD-3-Clause
// How the radix sort runs a pass on this device, decided by a test.
#pragma once

#include "app/gpu/context.h"

namespace fathom::gpu {

/// Strands: a run of keys per invocation, with counters of its own; any GL 4.5 device. Subgroups:
/// work groups rank their keys by ballots within subgroups. Auto: the better one here.
enum class RadixMethod { Auto, Strands, Subgroups };

/// How shaders/common/ballot.glsl votes here.
struct Subgroups {
  enum Kind { None = 0, Ballot = 1, Khr = 2 } kind = None;  // the values of BALLOT
  int width = 1;                                            // a power of two, 64 at most
};

/// What the device offers; measured by a small pass. Waits for the device.
Subgroups subgroupsOf(Context& context);

/// True when a small sort by ballots within subgroups comes out right, which no capability
/// promises. Waits for the device.
bool sortsBySubgroups(Context& context);

/// Never Auto. On a software renderer invocations are lanes of a CPU: strands. Elsewhere subgroups,
/// if they pass the test.
RadixMethod bestRadixMethod(Context& context);

}  // namespace fathom::gpu
