// SPDX-License-Identifier: BSD-3-Clause
// Exact bars: one work group per supertile of the band, one invocation per column of SMOE_COLUMN of
// its cells, which goes through the supertile's list for the component that is largest throughout
// each cell. Then the lowest bar of each tile. Writes floats.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"

#ifndef SMOE_COLUMN
#define SMOE_COLUMN 1  // 8 where fetching a record costs more than looking at it (llvmpipe)
#endif
layout(local_size_x = SMOE_SUPER_CELLS / SMOE_COLUMN) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer List { uint list[]; };
layout(std430, binding = SMOE_BIND_CELL_BARS) restrict writeonly buffer CellBars {
  float cellBars[];
};
layout(std430, binding = SMOE_BIND_TILE_BARS) restrict writeonly buffer TileBars {
  float tileBars[];
};
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/decode/grid.glsl"

shared float bars[SMOE_SUPER_CELLS];

// level: parents = supertiles, firstParent, parentCount.
void main() {
  openGrid();
  const uint lane = gl_LocalInvocationIndex;
  if (groupIndex() >= level.parentCount) return;
  const int at = int(level.firstParent + groupIndex());
  const ivec2 super = ivec2(at % level.parents.x, at / level.parents.x);
  const ivec2 corner = super * SMOE_SUPER;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const uvec2 range = ranges[at];

  // Cells of the supertile: 16 columns side by side, then those below them.
  const ivec2 top = ivec2(int(lane) % 16, SMOE_COLUMN * (int(lane) / 16));
  const ivec2 cell = super * 16 + top;
  float bar[SMOE_COLUMN];
  for (int k = 0; k < SMOE_COLUMN; ++k) bar[k] = -3.0e38;
  for (uint i = range.x; i < range.y; ++i) {
    const Gate gate = gateOf(list[i], origin, rest);
    for (int k = 0; k < SMOE_COLUMN; ++k) {
      const ivec2 at = min(cell + ivec2(0, k), params.cells - 1);
      const Box box = boxOf(at * SMOE_CELL, (at + 1) * SMOE_CELL, corner);
      bar[k] = max(bar[k], gate.c - farthest(gate, box));
    }
  }
  for (int k = 0; k < SMOE_COLUMN; ++k) {
    const ivec2 at = cell + ivec2(0, k);
    bars[16 * (top.y + k) + top.x] = bar[k];
    if (all(lessThan(at, params.cells))) cellBars[at.y * params.cells.x + at.x] = bar[k];
  }
  barrier();

  // One invocation per tile, or per few.
  const int tileCells = int(params.tilePixels) / SMOE_CELL, side = 16 / tileCells;
  for (int i = int(lane); i < side * side; i += SMOE_SUPER_CELLS / SMOE_COLUMN) {
    const ivec2 inSuper = ivec2(i % side, i / side), tile = super * side + inSuper;
    float lowest = 3.0e38;
    for (int k = 0; k < tileCells * tileCells; ++k) {
      const ivec2 cellAt = inSuper * tileCells + ivec2(k % tileCells, k / tileCells);
      if (all(lessThan(super * 16 + cellAt, params.cells)))
        lowest = min(lowest, bars[cellAt.y * 16 + cellAt.x]);
    }
    if (all(lessThan(tile, params.tiles)))
      tileBars[tile.y * params.tiles.x + tile.x - int(params.firstTile)] = lowest;
  }
}
