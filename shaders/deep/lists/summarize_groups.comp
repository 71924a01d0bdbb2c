// SPDX-License-Identifier: BSD-3-Clause
// One invocation per group of 32 slots reads the group's counts (LA: still in the table, before the scan)
// and writes what the following passes and the host need to know:
//   extra[g]                  IA, BIA, ABIA: the group's minimum, floored to a multiple of the block
//   order[class * groups + g] 1 in the group's length class, else 0: scanned, then compacted
//   summary                   fragments (64 bit), longest list, lists beyond LONGEST, groups per class
// A work group adds up in shared memory and once in the summary: all devices have only one of it.
// Sums do not depend on order.
#ifndef LONGEST
#define LONGEST DEEP_LONGEST
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/slots.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

#if LAYOUT == DEEP_LAYOUT_LA
layout(std430, binding = DEEP_BIND_TABLE) restrict readonly buffer Counts { uvec4 counts[]; };
#else
layout(std430, binding = DEEP_BIND_COUNTS) restrict readonly buffer Counts { uvec4 counts[]; };
#endif
#if LAYOUT == DEEP_LAYOUT_IA || LAYOUT == DEEP_LAYOUT_BIA || LAYOUT == DEEP_LAYOUT_ABIA
layout(std430, binding = DEEP_BIND_EXTRA) restrict writeonly buffer Extra { uint minimums[]; };
#endif
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
layout(std430, binding = DEEP_BIND_ORDER) restrict writeonly buffer Order { uint order[]; };

shared DeepSummary partial;  // of this work group

/// To a 64-bit sum of two words.
#define addFragments(to, count)                                              \
  {                                                                          \
    const uint before = atomicAdd(to.fragmentsLow, count);                   \
    if (before + (count) < before) atomicAdd(to.fragmentsHigh, 1u);          \
  }

/// 0 for lists that need no sorting, then 1 for up to 8, 2 for up to 16, ... 7 for up to 512.
uint lengthClass(uint count) {
  return count < 2u ? 0u : uint(max(findMSB(count - 1u), 2) - 1);
}

uint greatest(uvec4 four) { return max(max(four.x, four.y), max(four.z, four.w)); }

/// One group of slots, by one invocation, four at a time.
void summarize(uint group, uint groups) {
  uint sum = 0u, minCount = 0xFFFFFFFFu, maxCount = 0u, maxShort = 0u;
  // Not a constant number of rounds: some compilers would write 32 copies of the atomics.
  uint end = min((group + 1u) * DEEP_GROUP, params.slotCount) / 4u;
  for (uint quad = group * (DEEP_GROUP / 4u); quad < end; ++quad) {
    uvec4 four = counts[quad];
    sum += four.x + four.y + four.z + four.w;
    minCount = min(minCount, min(min(four.x, four.y), min(four.z, four.w)));
    maxCount = max(maxCount, greatest(four));
    bvec4 isLong = greaterThan(four, uvec4(LONGEST));
    maxShort = max(maxShort, greatest(mix(four, uvec4(0u), isLong)));
    for (uint i = 0u; i < (any(isLong) ? 4u : 0u); ++i)
      if (four[i] > LONGEST) {
        atomicAdd(partial.longLists, 1u);
        atomicAdd(partial.longFragments, four[i]);
      }
  }

#if LAYOUT == DEEP_LAYOUT_IA
  minimums[group] = minCount;
#elif LAYOUT == DEEP_LAYOUT_BIA || LAYOUT == DEEP_LAYOUT_ABIA
  minimums[group] = minCount / BLOCK * BLOCK;
#endif
  uint mine = lengthClass(maxShort);
  for (uint c = 0u; c < DEEP_CLASSES; ++c) order[c * groups + group] = c == mine ? 1u : 0u;
  atomicAdd(partial.classes[mine], 1u);
  atomicMax(partial.longest, maxCount);
  if (sum > 0u) addFragments(partial, sum)
}

void main() {
  const uint group = invocationIndex(), groups = params.slotCount / DEEP_GROUP;
  const uint lane = gl_LocalInvocationIndex;
  if (lane == 0u) {
    partial.fragmentsLow = partial.fragmentsHigh = 0u;
    partial.longest = partial.longLists = partial.longFragments = 0u;
  }
  if (lane < DEEP_CLASSES) partial.classes[lane] = 0u;
  barrier();
  if (group < groups) summarize(group, groups);
  barrier();
  if (lane < DEEP_CLASSES && partial.classes[lane] > 0u)
    atomicAdd(summary.classes[lane], partial.classes[lane]);
  if (lane != 0u) return;
  atomicMax(summary.longest, partial.longest);
  if (partial.longLists > 0u) {
    atomicAdd(summary.longLists, partial.longLists);
    atomicAdd(summary.longFragments, partial.longFragments);
  }
  if (partial.fragmentsLow > 0u) addFragments(summary, partial.fragmentsLow)
  if (partial.fragmentsHigh > 0u) atomicAdd(summary.fragmentsHigh, partial.fragmentsHigh);
}
