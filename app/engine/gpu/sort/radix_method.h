// SPDX-License-Identifier: BSD-3-Clause
// How the radix sort runs on this device, decided by a test.
#pragma once

#include "app/engine/gpu/context.h"

#include <cstdint>

namespace fathom::gpu {

/// Strands: a run of keys per invocation, with counters of its own, and three dispatches and a scan
/// per digit; any GL 4.5 device. Sweeps: tiles of keys per work group, ranked by votes within
/// subgroups, one dispatch per digit and one for all; where subgroups can vote. Auto: the better one
/// here.
enum class RadixMethod { Auto, Strands, Sweeps };

/// How shaders/common/ballot.glsl votes here: the values of BALLOT.
enum class Ballot { None = 0, Arb = 1, Khr = 2 };
Ballot ballotOf(const Context& context);

/// How a sweep is cut up. The defaults suit the device; tests choose others.
struct SweepShape {
  std::uint32_t lanes = 0;  // invocations per work group; 0: what suits the device
  std::uint32_t rows = 0;   // keys that each of them takes
  int mute = 0;             // every n-th tile publishes nothing (see sort_sweep.comp)
  bool countTraffic = false;
};

/// True when small sorts by sweeps with digits of up to `digitBits` bits come out right, with and
/// without payloads, which no capability promises. Waits for the device.
bool sweepsRight(Context& context, int digitBits);

}  // namespace fathom::gpu
