// SPDX-License-Identifier: BSD-3-Clause
// Sorts the lists of one length class by (Z, tie rank, splat). One work group per list: a bitonic
// network in shared memory, or where the list lies when it is longer (SORT_MAX 0). Every comparison
// is ascending ("flip" form: the first step of a merge pairs i with blockEnd - i), so any length
// works without padding: partners beyond the end are skipped. Keys are unique: one result.
#include "shaders/dof/footprint.glsl"
#ifndef SORT_MAX
#define SORT_MAX 512  // keys in shared memory; 0: in the buffer
#endif
layout(local_size_x = DOF_SORT_SIZE) in;

layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_CLASSES) restrict readonly buffer Classes { uint classes[]; };
#if SORT_MAX > 0
layout(std430, binding = DOF_BIND_KEYS) restrict buffer Keys { uvec2 keys[]; };
shared uvec2 run[SORT_MAX];
#define KEY(i) run[i]
#define SYNC        \
  memoryBarrierShared(); \
  barrier()
#else
layout(std430, binding = DOF_BIND_KEYS) restrict coherent buffer Keys { uvec2 keys[]; };
#define KEY(i) keys[first + (i)]
#define SYNC        \
  memoryBarrierBuffer(); \
  barrier()
#endif

void main() {
  uint tile = classes[params.choice * params.tilesX * params.tileRowCount + gl_WorkGroupID.x];
  uint first = tileBegin[tile], n = tileBegin[tile + 1u] - first;
#if SORT_MAX > 0
  for (uint i = gl_LocalInvocationID.x; i < n; i += DOF_SORT_SIZE) run[i] = keys[first + i];
  SYNC;
#endif
  for (uint block = 2u; block < 2u * n; block <<= 1) {
    for (uint width = block >> 1; width > 0u; width >>= 1) {
      bool flip = width == block >> 1;
      uint mask = width - 1u;
      for (uint t = gl_LocalInvocationID.x;; t += DOF_SORT_SIZE) {
        uint a = ((t & ~mask) << 1) | (t & mask);
        if (a >= n) break;
        uint b = flip ? a ^ (block - 1u) : a + width;
        if (b < n) {
          uvec2 x = KEY(a), y = KEY(b);
          if (isBehind(x, y)) {
            KEY(a) = y;
            KEY(b) = x;
          }
        }
      }
      SYNC;
    }
  }
#if SORT_MAX > 0
  for (uint i = gl_LocalInvocationID.x; i < n; i += DOF_SORT_SIZE) keys[first + i] = run[i];
#endif
}
