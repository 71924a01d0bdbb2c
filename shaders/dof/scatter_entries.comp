// SPDX-License-Identifier: BSD-3-Clause
// Puts a key for every splat into the list of every tile that it touches. One work group per tile of
// the source. For each tile the group reserves its places with one addition to that list's cursor
// (cleared before), and its invocations share them. Entries beyond the capacity are left out; the
// pass is then repeated with more room. The order of entries is not deterministic; sorting removes
// that.
#include "shaders/dof/footprint.glsl"
#include "shaders/dof/shifts.glsl"
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
layout(std430, binding = DOF_BIND_TILE_SPLATS) restrict readonly buffer TileSplats {
  uint tileSplats[];
};
layout(std430, binding = DOF_BIND_PAIRS) restrict readonly buffer Pairs { uint pairs[]; };
layout(std430, binding = DOF_BIND_COUNTS) restrict buffer Cursors { uint cursors[]; };
layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_KEYS) restrict writeonly buffer Keys { uvec2 keys[]; };

shared uint next[DOF_PAIRS];  // where the next entry of this group goes, per pair

void main() {
  uint group = groupIndex(), lane = gl_LocalInvocationID.x;
  bool inRange = group < sourceTileCount();
  ivec2 own = sourceTile(group);
  if (inRange && lane < DOF_PAIRS) {
    uint n = pairs[group * DOF_PAIRS + lane];
    ivec2 to = own + ivec2(lane % (2u * DOF_REACH + 1u), lane / (2u * DOF_REACH + 1u)) - DOF_REACH;
    if (n > 0u)
      next[lane] = tileBegin[bandTile(to)] + atomicAdd(cursors[bandTile(to)], n);
  }
  barrier();

  if (!inRange) return;
  uint tile = sourceIndex(own), shift = shiftOfRow(sourceRow(group));
  uint first = tileSplats[tile] - shift;
  uint end = tileSplats[tile + 1u] - shift;
  for (uint i = first + lane; i < end; i += DOF_TILE_PIXELS) {
    Place p = unpackPlace(places[i]);
    uvec2 key = keyOf(depths[i], p.pixel, i);
    ivec2 low, high;
    candidateTiles(p, low, high);
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        if (touches(p, ivec2(x, y))) {
          uint at = atomicAdd(next[pairOf(own, ivec2(x, y))], 1u);
          if (at < params.capacity) keys[at] = key;
        }
  }
}
