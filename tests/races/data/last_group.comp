// SPDX-License-Identifier: BSD-3-Clause
// Every group writes its words; the last one to count itself adds them all up. FAULT 1: before its
// others have written, a group counts itself.
#ifndef FAULT
#define FAULT 0
#endif
layout(local_size_x = 16) in;
layout(std430, binding = 0) coherent buffer Words { uint words[]; };
layout(std430, binding = 1) coherent buffer Sums { uint sums[]; };
shared bool isLast;

void main() {
  const uint lane = gl_LocalInvocationIndex, count = gl_NumWorkGroups.x * 16u;
  words[gl_GlobalInvocationID.x] = 1u;
#if FAULT != 1
  memoryBarrierBuffer();
  barrier();
#endif
  if (lane == 0u) isLast = atomicAdd(sums[0], 1u) + 1u == gl_NumWorkGroups.x;
  memoryBarrierBuffer();
  barrier();
  uint sum = 0u;
  for (uint i = lane; i < (isLast ? count : 0u); i += 16u) sum += words[i];
  if (isLast) sums[1u + lane] = sum;
}
