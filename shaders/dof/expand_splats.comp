// SPDX-License-Identifier: BSD-3-Clause
// From splats in depth order to entries in depth order; one invocation per splat. EXPAND 0 counts the
// tiles of the band that it touches, EXPAND 1 writes one entry each: key = tile, payload = splat, at
// the place that the scan of the counts gave. A stable sort by tile then gives the lists.
// Deterministic.
#include "shaders/dof/footprint.glsl"
#ifndef EXPAND
#define EXPAND 0
#endif
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_ORDER) restrict readonly buffer Order { uint order[]; };
layout(std430, binding = DOF_BIND_COUNTS) restrict buffer Counts { uint counts[]; };
#if EXPAND
layout(std430, binding = DOF_BIND_KEYS) restrict writeonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_ENTRIES) restrict writeonly buffer Entries { uint entries[]; };
#endif

void main() {
  uint i = invocationIndex();
  if (i >= params.splatCount) return;
  uint splat = order[i];
  Place p = unpackPlace(places[splat]);
  ivec2 low, high;
  candidateTiles(p, low, high);
#if EXPAND
  uint at = counts[i];
#else
  uint n = 0u;
#endif
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x)
      if (touches(p, ivec2(x, y))) {
#if EXPAND
        keys[at] = bandTile(ivec2(x, y));
        entries[at++] = splat;
#else
        ++n;
#endif
      }
#if !EXPAND
  counts[i] = n;
#endif
}
