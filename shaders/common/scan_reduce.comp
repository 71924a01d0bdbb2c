// SPDX-License-Identifier: BSD-3-Clause
// First half of the exclusive prefix sum (reduce, scan, add). One work group per block of SCAN_BLOCK
// items; reads the input, writes the sum of the block. Deterministic: sums of integers.
//
//   for each block: for each of SCAN_ITEMS rows: for each of SCAN_SIZE invocations: one item
#include "shaders/common/shared.h"
layout(local_size_x = SCAN_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SCAN_BIND_IN) restrict readonly buffer In { uint items[]; };
layout(std430, binding = SCAN_BIND_SUMS) restrict writeonly buffer Sums { uint sums[]; };
layout(std140, binding = SCAN_BIND_PARAMS) uniform Params { ScanParams params; };

const uint kColumns = 16;
const uint kRows = SCAN_SIZE / kColumns;
shared uint partial[SCAN_SIZE];

void main() {
  const uint block = groupIndex();
  const uint lane = gl_LocalInvocationID.x;
  const bool inRange = block * SCAN_BLOCK <= params.count;

  // Sum a column of the block.
  uint sum = 0;
  if (inRange) {
    for (uint row = 0; row < SCAN_ITEMS; ++row) {
      const uint i = block * SCAN_BLOCK + row * SCAN_SIZE + lane;
      if (i < params.count) sum += items[i];
    }
  }
  partial[lane] = sum;
  barrier();

  // Sum the columns in two steps.
  if (lane < kColumns) {
    for (uint row = 1; row < kRows; ++row) sum += partial[row * kColumns + lane];
    partial[lane] = sum;
  }
  barrier();
  if (lane == 0 && inRange) {
    for (uint column = 1; column < kColumns; ++column) sum += partial[column];
    sums[block] = sum;
  }
}
