// SPDX-License-Identifier: BSD-3-Clause
// A candidate for every block of 8 x 8 cells (jump flooding: Rong, Tan 2006): one invocation per block
// looks at its own candidate and those of its neighbors `stride` blocks away, and takes the one with
// the highest bar on the block. Run with falling strides. Deterministic: reads one table and writes
// another.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_BLOCKS) restrict readonly buffer Blocks { uint blocks[]; };
layout(std430, binding = SMOE_BIND_NEXT_BLOCKS) restrict writeonly buffer Next { uint next[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/decode/grid.glsl"
#include "shaders/smoe/decode/candidates.glsl"

// Of `level` only childBlock: the stride.
void main() {
  openGrid();
  const ivec2 count = blockCount();
  const uint block = invocationIndex();
  if (block >= uint(count.x * count.y)) return;
  const ivec2 at = ivec2(int(block) % count.x, int(block) / count.x);
  const int side = SMOE_BLOCK * SMOE_CELL, stride = int(level.childBlock);
  vec2 rest;
  const ivec2 origin = originOf(at * side, rest);
  const Box box = boxOf(at * side, (at + 1) * side, at * side);
  uint best = 0u;
  float highest = -3.4e38;
  for (int i = 0; i < 9; ++i) {
    const ivec2 near = at + stride * (ivec2(i % 3, i / 3) - 1);
    if (any(lessThan(near, ivec2(0))) || any(greaterThanEqual(near, count))) continue;
    const uint word = blocks[near.y * count.x + near.x];
    if (word == 0u) continue;
    const Gate gate = gateOf(componentOf(word), origin, rest);
    const float bar = gate.c - farthest(gate, box);
    // The first of equals, so that the order of the neighbors alone decides.
    if (bar > highest || best == 0u) {
      best = word;
      highest = bar;
    }
  }
  next[block] = best;
}
