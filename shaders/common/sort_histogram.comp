// SPDX-License-Identifier: BSD-3-Clause
// First dispatch of the radix sort: how often does each value of each digit occur? One work group per run of
// keys, which are read once for all digits; the group that is done last turns the counts into starts. Also
// clears the states of the tiles for sort_sweep.comp, behind row 0, which holds those starts.
// Deterministic: counts do not depend on the order in which they are added.
//
//   for each work group: for each run of SORT_LANES quads of keys: for each digit: an addition in shared memory
//   states: for each digit's pass: for each tile and one before them: for each value of the digit: a word
#include "shaders/common/shared.h"
#ifndef SORT_LANES
#define SORT_LANES 64
#endif
#ifndef SORT_DIGITS
#define SORT_DIGITS SORT_DIGITS_DEFAULT
#endif
#ifndef SORT_TRAFFIC
#define SORT_TRAFFIC 0
#endif
layout(local_size_x = SORT_LANES) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_KEYS) restrict readonly buffer Keys { uvec4 quads[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict readonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_STATES) restrict writeonly buffer States { uint states[]; };
layout(std430, binding = SORT_BIND_SHARED) coherent restrict buffer Shared {
  uint doneCount, spare0, spare1, spare2;
  uint tickets[SORT_MAX_PASSES];
  uint totals[];  // [passes][SORT_DIGITS]
};
layout(std430, binding = SORT_BIND_STARTS) restrict writeonly buffer Starts { uint starts[]; };
layout(std430, binding = SORT_BIND_KEPT) restrict writeonly buffer Kept { uint keptCount; };
#include "shaders/common/traffic.glsl"
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SweepParams params; };

shared uint bins[SORT_MAX_PASSES * SORT_DIGITS];
shared uint laneSums[SORT_LANES];
shared bool isLast;

uint digitOf(uint key, uint pass) {
  return key >> params.shift[pass] & params.digitMask[pass];
}

/// The words of states that this invocation clears: all rows but the first of each pass.
void clearStates(uint groups) {
  const uint rows = params.tileCount * SORT_DIGITS, all = (params.tileCount + 1) * SORT_DIGITS;
  for (uint pass = 0; pass < params.passCount; ++pass)
    for (uint i = invocationIndex(); i < rows; i += groups * SORT_LANES) {
      states[pass * all + SORT_DIGITS + i] = 0;
      moved(1);
    }
}

/// Counts of one pass to starts, by the whole group.
void scanTotals(uint pass, uint lane) {
  const uint perLane = (SORT_DIGITS + SORT_LANES - 1) / SORT_LANES;
  const uint first = lane * perLane, last = min(first + perLane, SORT_DIGITS);
  uint sum = 0;
  for (uint digit = first; digit < last; ++digit) {
    const uint count = totals[pass * SORT_DIGITS + digit];
    bins[digit] = sum;
    sum += count;
  }
  laneSums[lane] = sum;
  barrier();
  uint before = 0;
  for (uint i = 0; i < params.laneCount; ++i) before += i < lane ? laneSums[i] : 0;
  const uint row = pass * (params.tileCount + 1) * SORT_DIGITS;
  for (uint digit = first; digit < last; ++digit) {
    const uint start = before + bins[digit];
    states[row + digit] = SORT_PREFIX | start;
    if (pass + 1 == params.passCount && digit <= params.digitMask[pass]) starts[digit] = start;
  }
  if (lane == SORT_LANES - 1 && pass + 1 == params.passCount) {
    starts[params.digitMask[pass] + 1] = before + sum;
    keptCount = before + sum;
  }
  barrier();
}

void main() {
  const uint lane = gl_LocalInvocationIndex;
  // Of all pieces, where the dispatch was cut.
  const uint groups =
      max(1u, params.keyLimit / params.groupKeys + uint(params.keyLimit % params.groupKeys != 0));
  if (groupIndex() >= groups) return;
  for (uint i = lane; i < params.passCount * SORT_DIGITS; i += SORT_LANES) bins[i] = 0;
  barrier();

  // A run begins with a whole quad: groupKeys is a multiple of four.
  const uint first = groupIndex() * params.groupKeys;
  const uint last = min(first + params.groupKeys, min(keyCount, params.keyLimit));
  for (uint quad = first / 4 + lane; quad < (last + 3) / 4; quad += SORT_LANES) {
    const uvec4 four = quads[quad];
    for (uint i = 0; i < min(4, last - 4 * quad); ++i) {
      const uint key = four[i];
      moved(1);
      if (key == SORT_DISCARD && params.discards != 0) continue;
      for (uint pass = 0; pass < params.passCount; ++pass)
        atomicAdd(bins[pass * SORT_DIGITS + digitOf(key, pass)], 1);
    }
  }
  clearStates(groups);
  barrier();
  for (uint i = lane; i < params.passCount * SORT_DIGITS; i += SORT_LANES)
    if (bins[i] != 0) {
      atomicAdd(totals[i], bins[i]);
      moved(1);
    }

  // Whoever counts itself last sees what all others have added.
  memoryBarrierBuffer();
  barrier();
  if (lane == 0) isLast = atomicAdd(doneCount, 1) == groups - 1;
  memoryBarrierBuffer();
  barrier();
  for (uint pass = 0; pass < (isLast ? params.passCount : 0); ++pass) scanTotals(pass, lane);
  reportTraffic();
}
