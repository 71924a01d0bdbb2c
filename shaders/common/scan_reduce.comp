// SPDX-License-Identifier: BSD-3-Clause
// First half of the exclusive prefix sum (reduce, scan, add). One work group per whole block of
// SCAN_BLOCK words; reads the input, writes the sum of the block. Deterministic: sums of integers.
//
//   for each block: for each of SCAN_QUADS rows: for each of SCAN_SIZE invocations: a quad
#include "shaders/common/invocation.glsl"
#include "shaders/common/shared.h"
layout(local_size_x = SCAN_SIZE) in;

layout(std430, binding = SCAN_BIND_IN) restrict readonly buffer In { uvec4 quads[]; };
layout(std430, binding = SCAN_BIND_SUMS) restrict writeonly buffer Sums { uint sums[]; };
layout(std140, binding = SCAN_BIND_PARAMS) uniform Params { ScanParams params; };

shared uint laneSums[SCAN_SIZE];

void main() {
  const uint block = groupIndex();
  const uint lane = gl_LocalInvocationID.x;
  const bool inRange = block < params.blockCount;

  uvec4 four = uvec4(0);
  if (inRange) {
    for (uint row = 0; row < params.quadCount; ++row)
      four += quads[block * (SCAN_BLOCK / 4) + row * SCAN_SIZE + lane];
  }
  laneSums[lane] = four.x + four.y + four.z + four.w;
  barrier();

  if (inRange && lane == 0) {
    uint sum = 0;
    for (uint i = 0; i < params.laneCount; ++i) sum += laneSums[i];
    sums[block] = sum;
  }
}
