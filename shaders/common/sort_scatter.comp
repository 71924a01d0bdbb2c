// SPDX-License-Identifier: BSD-3-Clause
// Second half of a pass of the radix sort: each key goes to its place. One invocation per strand of keys;
// reads the keys (and payloads) and where each digit of this strand begins, writes the sorted keys (and
// payloads). Stable and deterministic: a strand keeps its order, and strands follow one another.
//
//   table: for each digit: for each strand: where its first key goes
//
// SORT_PAYLOADS 1: a payload travels with each key.
#include "shaders/common/shared.h"
#ifndef SORT_LANES
#define SORT_LANES SORT_LANES_DEFAULT
#endif
#ifndef SORT_DIGITS
#define SORT_DIGITS SORT_DIGITS_DEFAULT
#endif
#ifndef SORT_PAYLOADS
#define SORT_PAYLOADS 0
#endif
layout(local_size_x = SORT_LANES) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict readonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_TABLE) restrict readonly buffer Table { uint table[]; };
layout(std430, binding = SORT_BIND_SORTED) restrict writeonly buffer Sorted { uint sorted[]; };
#if SORT_PAYLOADS
layout(std430, binding = SORT_BIND_PAYLOADS) restrict readonly buffer Payloads { uint payloads[]; };
layout(std430, binding = SORT_BIND_SORTED_PAYLOADS) restrict writeonly buffer SortedPayloads {
  uint sortedPayloads[];
};
#endif
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SortParams params; };

// Private to each invocation; in shared memory because that can be indexed.
shared uint places[SORT_DIGITS * SORT_LANES];

void main() {
  const uint strand = params.firstStrand + invocationIndex();
  if (strand >= params.endStrand) return;
  const uint lane = gl_LocalInvocationID.x;
  for (uint digit = 0; digit < params.digitCount; ++digit)
    places[digit * SORT_LANES + lane] = table[digit * params.strandCount + strand];

  const uint mask = params.digitCount - 1;
  const uint first = strand * params.strandKeys;
  const uint last = min(first + params.strandKeys, keyCount);
  for (uint i = first; i < last; ++i) {
    const uint key = keys[i - params.firstKey];
    if (key == SORT_DISCARD && params.discards != 0) continue;
    const uint counter = (key >> params.shift & mask) * SORT_LANES + lane;
    const uint place = places[counter];
    places[counter] = place + 1;
    const uint at = place - params.firstSorted;
    if (at < params.sortedCount) {
      sorted[at] = key;
#if SORT_PAYLOADS
      sortedPayloads[at] = payloads[i - params.firstKey];
#endif
    }
  }
}
