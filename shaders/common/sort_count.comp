// SPDX-License-Identifier: BSD-3-Clause
// First half of a pass of the radix sort: how often does each digit occur? One invocation per strand of
// keys, with counters of its own, so that nothing is shared and nothing waits: the plain path for any
// device, and the fastest one where invocations are lanes of a CPU. Reads the keys, writes the table.
//
//   table: for each digit: for each strand: a count
#include "shaders/common/shared.h"
#ifndef SORT_LANES
#define SORT_LANES SORT_LANES_DEFAULT
#endif
#ifndef SORT_DIGITS
#define SORT_DIGITS SORT_DIGITS_DEFAULT
#endif
layout(local_size_x = SORT_LANES) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict readonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_TABLE) restrict writeonly buffer Table { uint table[]; };
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SortParams params; };

// Private to each invocation; in shared memory because that can be indexed.
shared uint counters[SORT_DIGITS * SORT_LANES];

void main() {
  const uint strand = params.firstStrand + invocationIndex();
  if (strand >= params.endStrand) return;
  const uint lane = gl_LocalInvocationID.x;
  for (uint digit = 0; digit < params.digitCount; ++digit) counters[digit * SORT_LANES + lane] = 0;

  const uint mask = params.digitCount - 1;
  const uint first = strand * params.strandKeys;
  const uint last = min(first + params.strandKeys, keyCount);
  for (uint i = first; i < last; ++i) {
    const uint key = keys[i - params.firstKey];
    const uint kept = key == SORT_DISCARD ? 1 - params.discards : 1;
    counters[(key >> params.shift & mask) * SORT_LANES + lane] += kept;
  }

  for (uint digit = 0; digit < params.digitCount; ++digit)
    table[digit * params.strandCount + strand] = counters[digit * SORT_LANES + lane];
}
