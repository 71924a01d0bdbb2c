// SPDX-License-Identifier: BSD-3-Clause
// First half of a pass of the radix sort where work groups share counters: how often does each digit
// occur? One work group per strand of keys; reads the keys, writes the table. Deterministic: counts do
// not depend on the order in which they are added.
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

shared uint counters[SORT_DIGITS];

void main() {
  const uint strand = params.firstStrand + groupIndex();
  const bool inRange = strand < params.endStrand;
  const uint lane = gl_LocalInvocationID.x;
  for (uint digit = lane; digit < params.digitCount; digit += SORT_LANES) counters[digit] = 0;
  barrier();

  if (inRange) {
    const uint mask = params.digitCount - 1;
    const uint first = strand * params.strandKeys;
    const uint last = min(first + params.strandKeys, keyCount);
    for (uint i = first + lane; i < last; i += SORT_LANES) {
      const uint key = keys[i - params.firstKey];
      if (key != SORT_DISCARD || params.discards == 0)
        atomicAdd(counters[key >> params.shift & mask], 1);
    }
  }
  barrier();

  if (!inRange) return;
  for (uint digit = lane; digit < params.digitCount; digit += SORT_LANES)
    table[digit * params.strandCount + strand] = counters[digit];
}
