// SPDX-License-Identifier: BSD-3-Clause
// Where the keys of each digit begin after a pass of the radix sort, and how many were kept in all. One
// invocation per digit and one for the end; reads the scanned table, writes the starts and the count.
#include "shaders/common/shared.h"
layout(local_size_x = SORT_STARTS_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_TABLE) restrict readonly buffer Table { uint table[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict writeonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_STARTS) restrict writeonly buffer Starts { uint starts[]; };
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SortParams params; };

void main() {
  const uint digit = invocationIndex();
  if (digit > params.digitCount) return;
  const uint start = table[digit * params.strandCount];
  starts[digit] = start;
  if (digit == params.digitCount) keyCount = start;
}
