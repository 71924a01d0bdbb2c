// SPDX-License-Identifier: BSD-3-Clause
// Reverses the words of each group through shared memory, correctly with FAULT 0; each other value is one
// way of getting it wrong.
#ifndef FAULT
#define FAULT 0
#endif
layout(local_size_x = 16) in;
layout(std430, binding = 0) coherent buffer Words { uint words[]; };
layout(std430, binding = 1) coherent buffer Sums { uint sums[]; };
layout(binding = 0, r32ui) uniform writeonly restrict uimage2D picture;
shared uint turned[16];
shared uint total;

void main() {
  const uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  turned[15u - lane] = words[at];
  if (lane == 0u) total = 0u;
#if FAULT != 1
  barrier();
#endif
  const uint mine = turned[lane];
  atomicAdd(total, mine);
#if FAULT != 2
  barrier();
#endif
  words[at] = mine + total;
#if FAULT != 3
  memoryBarrierBuffer();
#endif
  barrier();
  sums[at] = words[at ^ 1u];  // a neighbor's
#if FAULT == 4
  sums[lane] = total;  // each group's
#endif
  imageStore(picture, FAULT == 5 ? ivec2(0) : ivec2(at, 0), uvec4(mine));
}
