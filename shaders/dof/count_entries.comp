// SPDX-License-Identifier: BSD-3-Clause
// How many splats touch each tile: adds to the lists' lengths (cleared before). Sums of integers: deterministic.
//   PAIRS 1  One work group per tile of the source; its invocations loop over the tile's splats. Counts are
//            summed in shared memory first: one addition in global memory per pair of tiles. Writes the counts
//            per pair for scatter_entries.comp.
//   PAIRS 0  One invocation per splat: where radii are too large for a table of pairs, or tiles have too many
//            splats to loop over.
#include "shaders/dof/footprint.glsl"
#include "shaders/dof/shifts.glsl"
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_TILE_SPLATS) restrict readonly buffer TileSplats {
  uint tileSplats[];
};
#ifndef PAIRS
#define PAIRS 1
#endif
#if PAIRS
layout(std430, binding = DOF_BIND_PAIRS) restrict writeonly buffer Pairs { uint pairs[]; };
#endif
layout(std430, binding = DOF_BIND_COUNTS) restrict buffer Counts { uint counts[]; };

#if !PAIRS
void main() {
  uint i = invocationIndex();
  if (i >= params.splatCount) return;
  Place p = unpackPlace(places[i]);
  ivec2 low, high;
  candidateTiles(p, low, high);
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x)
      if (touches(p, ivec2(x, y))) atomicAdd(counts[bandTile(ivec2(x, y))], 1u);
}
#else
shared uint touched[DOF_PAIRS];

void main() {
  uint group = groupIndex(), lane = gl_LocalInvocationID.x;
  bool inRange = group < sourceTileCount();
  ivec2 own = sourceTile(group);
  if (lane < DOF_PAIRS) touched[lane] = 0u;
  barrier();

  uint first = 0u, end = 0u;
  if (inRange) {
    uint tile = sourceIndex(own);
    uint shift = shiftOfRow(sourceRow(group));
    first = tileSplats[tile] - shift;
    end = tileSplats[tile + 1u] - shift;
  }
  for (uint i = first + lane; i < end; i += DOF_TILE_PIXELS) {
    Place p = unpackPlace(places[i]);
    ivec2 low, high;
    candidateTiles(p, low, high);
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        if (touches(p, ivec2(x, y))) atomicAdd(touched[pairOf(own, ivec2(x, y))], 1u);
  }
  barrier();

  if (inRange && lane < DOF_PAIRS) {
    uint n = touched[lane];
    pairs[group * DOF_PAIRS + lane] = n;
    ivec2 to = own + ivec2(lane % (2u * DOF_REACH + 1u), lane / (2u * DOF_REACH + 1u)) - DOF_REACH;
    if (n > 0u) atomicAdd(counts[bandTile(to)], n);
  }
}
#endif
