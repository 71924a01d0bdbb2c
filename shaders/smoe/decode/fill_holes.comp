// SPDX-License-Identifier: BSD-3-Clause
// The exact bar of cells far from every component: one work group per hole tests all
// components.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_BARS) restrict buffer Bars { uint bars[]; };
layout(std430, binding = SMOE_BIND_HOLES) restrict readonly buffer Holes { uint holes[]; };
layout(std430, binding = SMOE_BIND_STATS) restrict readonly buffer Stats { SmoeStats stats; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/grid.glsl"

shared uint highest;

void main() {
  openGrid();
  const uint hole = groupIndex();
  const bool inRange = hole < stats.holes;
  if (gl_LocalInvocationIndex == 0u) highest = 0u;
  barrier();
  const uint cell = inRange ? holes[hole] : 0u;
  if (inRange) {
    const ivec2 first =
        SMOE_CELL * ivec2(int(cell) % params.cells.x, int(cell) / params.cells.x);
    const ivec2 corner = first & ~(SMOE_AXIS - 1);
    vec2 rest;
    const ivec2 origin = originOf(corner, rest);
    const Box box = boxOf(first, first + SMOE_CELL, corner);
    float bar = -3.0e38;
    for (uint j = gl_LocalInvocationIndex; j < params.count; j += SMOE_LIST_SIZE) {
      const Gate gate = gateOf(j, origin, rest);
      bar = max(bar, gate.c - farthest(gate, box));
    }
    atomicMax(highest, orderedBits(bar));
  }
  barrier();
  if (inRange && gl_LocalInvocationIndex == 0u) bars[cell] = highest;
}
