// SPDX-License-Identifier: BSD-3-Clause
// A first bar for every cell: one invocation per component raises the bar of the cells within 3.5
// sigma of its center to its smallest log weight on them. Large components do so on a coarser level
// of a pyramid whose cells double in size, so that none visits more than 10 x 10. Maxima of integers:
// deterministic. Any subset of components gives a bar that is valid, if weaker. Components also become
// candidates (candidates.glsl) of the cell and the block where their center is, or of the nearest.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_BARS) restrict buffer Bars { uint bars[]; };
layout(std430, binding = SMOE_BIND_SEEDS) restrict buffer Seeds { uint seeds[]; };
layout(std430, binding = SMOE_BIND_BLOCKS) restrict buffer Blocks { uint blocks[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/grid.glsl"
#include "shaders/smoe/decode/pyramid.glsl"
#include "shaders/smoe/decode/candidates.glsl"

void main() {
  openGrid();
  const uint j = invocationIndex();
  if (j >= params.count) return;
  vec2 rest;
  const ivec2 origin = originOf(ivec2(0), rest);
  Gate gate = gateOf(j, origin, rest);

  // In samples: the center, and the half extents of the ellipse of 3.5 sigma.
  const vec2 center = gate.center / params.step;
  const vec2 inCells = clamp(center / float(SMOE_CELL), vec2(0), vec2(params.cells - 1));
  const ivec2 own = ivec2(inCells), block = own / SMOE_BLOCK;
  const uint word = candidateWord(j, gate);
  atomicMax(seeds[own.y * params.cells.x + own.x], word);
  atomicMax(blocks[block.y * blockCount().x + block.x], word);

  const float yy = length(vec2(1.0, gate.w.y / gate.w.x)) / gate.w.z;
  const vec2 extent = 3.5 * SMOE_SIGMA_SCALE / params.step * vec2(1.0 / gate.w.x, yy);
  const float wanted = ceil(log2(max(max(extent.x, extent.y) / 16.0, 1.0)));
  const int level = int(min(wanted, float(params.levels - 1u)));
  const int side = SMOE_CELL << level;
  const ivec2 dims = levelSize(level);
  const uint first = levelStart(level);

  const ivec2 low = ivec2(clamp(floor((center - extent) / float(side)), vec2(0), vec2(dims)));
  const ivec2 high = ivec2(clamp(floor((center + extent) / float(side)), vec2(-1), vec2(dims - 1)));
  const float weak = gate.c - 12.0 * 1.442695 - 4.0;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) {
      const Box box = boxOf(ivec2(x, y) * side, ivec2(x + 1, y + 1) * side, ivec2(0));
      const float bar = gate.c - farthest(gate, box);
      if (bar >= weak) atomicMax(bars[first + uint(y * dims.x + x)], orderedBits(bar));
    }
}
