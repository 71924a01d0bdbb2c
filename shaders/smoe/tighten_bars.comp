// SPDX-License-Identifier: BSD-3-Clause
// Exact bars: one work group per supertile of the band, one invocation per cell, which goes through
// the supertile's list for the component that is largest throughout the cell. Records pass through
// shared memory. Then the lowest bar of each tile. Writes floats.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/shared.h"
layout(local_size_x = SMOE_SUPER_CELLS) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_PARENT_STARTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer List { uint list[]; };
layout(std430, binding = SMOE_BIND_CELL_BARS) restrict writeonly buffer CellBars {
  float cellBars[];
};
layout(std430, binding = SMOE_BIND_TILE_BARS) restrict writeonly buffer TileBars {
  float tileBars[];
};
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/grid.glsl"

// Gates of a batch: center, c, W11; W21, W22.
shared vec4 gates[SMOE_SUPER_CELLS];
shared vec2 moreGates[SMOE_SUPER_CELLS];
shared float bars[SMOE_SUPER_CELLS];

// level: parents = supertiles, firstParent, parentSegments = stride of their starts.
void main() {
  const uint lane = gl_LocalInvocationIndex;
  const int at = int(level.firstParent + groupIndex());
  const ivec2 super = ivec2(at % level.parents.x, at / level.parents.x);
  const ivec2 corner = super * SMOE_SUPER;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const uint first = starts[uint(at) * level.parentSegments];
  const uint last = starts[uint(at + 1) * level.parentSegments];

  const ivec2 place = ivec2(int(lane) % 16, int(lane) / 16);
  const ivec2 cell = super * 16 + place;
  const bool exists = all(lessThan(cell, params.cells));
  const Box box = boxOf(cell * SMOE_CELL, (cell + 1) * SMOE_CELL, corner);
  float bar = -3.0e38;
  for (uint start = first; start < last; start += SMOE_SUPER_CELLS) {
    const uint batch = min(last - start, SMOE_SUPER_CELLS);
    if (lane < batch) {
      const Gate gate = gateOf(list[start + lane], origin, rest);
      gates[lane] = vec4(gate.center, gate.c, gate.w.x);
      moreGates[lane] = gate.w.yz;
    }
    barrier();
    for (uint i = 0u; i < batch; ++i) {
      const vec4 a = gates[i];
      const Gate gate = Gate(a.xy, a.z, 0.0, vec3(a.w, moreGates[i]));
      bar = max(bar, gate.c - farthest(gate, box));
    }
    barrier();
  }
  bars[lane] = bar;
  if (exists) cellBars[cell.y * params.cells.x + cell.x] = bar;
  barrier();

  // One invocation per tile.
  const int tileCells = int(params.tilePixels) / SMOE_CELL, side = 16 / tileCells;
  if (lane >= uint(side * side)) return;
  const ivec2 inSuper = ivec2(int(lane) % side, int(lane) / side);
  const ivec2 tile = super * side + inSuper;
  if (!all(lessThan(tile, params.tiles))) return;
  float lowest = 3.0e38;
  for (int i = 0; i < tileCells * tileCells; ++i) {
    const ivec2 cellAt = inSuper * tileCells + ivec2(i % tileCells, i / tileCells);
    if (all(lessThan(super * 16 + cellAt, params.cells)))
      lowest = min(lowest, bars[cellAt.y * 16 + cellAt.x]);
  }
  tileBars[tile.y * params.tiles.x + tile.x - int(params.firstTile)] = lowest;
}
