// SPDX-License-Identifier: BSD-3-Clause
// Bars of cells far from every component: one invocation per cell tries the candidates
// (candidates.glsl) of itself, of four cells near it and of the 3 x 3 blocks around it. Any
// component's smallest log weight on the cell is a valid bar; these few are nearly as high as all
// would be.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_BARS) restrict buffer Bars { uint bars[]; };
layout(std430, binding = SMOE_BIND_SEEDS) restrict readonly buffer Seeds { uint seeds[]; };
layout(std430, binding = SMOE_BIND_BLOCKS) restrict readonly buffer Blocks { uint blocks[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/grid.glsl"
#include "shaders/smoe/decode/candidates.glsl"

const ivec2 kNear[5] = ivec2[](ivec2(0), ivec2(-2), ivec2(2, -2), ivec2(-2, 2), ivec2(2));

void main() {
  openGrid();
  const uint index = invocationIndex();
  const ivec2 cells = params.cells, blockSize = blockCount();
  if (index >= uint(cells.x * cells.y) || bars[index] != 0u) return;
  const ivec2 cell = ivec2(int(index) % cells.x, int(index) / cells.x);
  const ivec2 first = SMOE_CELL * cell, corner = first & ~(SMOE_AXIS - 1);
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const Box box = boxOf(first, first + SMOE_CELL, corner);
  float bar = -3.0e38;
  for (int i = 0; i < 14; ++i) {
    uint word = 0u;
    if (i < 5) {
      const ivec2 near = cell + kNear[i];
      if (all(greaterThanEqual(near, ivec2(0))) && all(lessThan(near, cells)))
        word = seeds[near.y * cells.x + near.x];
    } else {
      const ivec2 near = cell / SMOE_BLOCK + ivec2((i - 5) % 3, (i - 5) / 3) - 1;
      if (all(greaterThanEqual(near, ivec2(0))) && all(lessThan(near, blockSize)))
        word = blocks[near.y * blockSize.x + near.x];
    }
    if (word == 0u) continue;
    const Gate gate = gateOf(componentOf(word), origin, rest);
    bar = max(bar, gate.c - farthest(gate, box));
  }
  bars[index] = orderedBits(bar);
}
