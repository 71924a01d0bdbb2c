// SPDX-License-Identifier: BSD-3-Clause
// The bar of a box is the lowest of its cells': one invocation per supertile (of cells, ordered
// integers) or per district (of supertiles, floats).
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/bounds.glsl"
layout(local_size_x = SMOE_LIST_SIZE) in;

#ifndef SMOE_DISTRICTS
#define SMOE_DISTRICTS 0
#endif

layout(std430, binding = SMOE_BIND_BARS) restrict readonly buffer Bars { uint bars[]; };
layout(std430, binding = SMOE_BIND_BOX_BARS) restrict writeonly buffer BoxBars { float boxBars[]; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };

// Of `level` only these: parents are the boxes, children what lies in them, childBlock along a side.
void main() {
  const uint box = invocationIndex();
  if (box >= uint(level.parents.x * level.parents.y)) return;
  const int block = int(level.childBlock);
  const ivec2 first = block * ivec2(int(box) % level.parents.x, int(box) / level.parents.x);
  float lowest = 3.0e38;
  for (int i = 0; i < block * block; ++i) {
    const ivec2 child = first + ivec2(i % block, i / block);
    if (all(lessThan(child, level.children))) {
      const uint bits = bars[child.y * level.children.x + child.x];
#if SMOE_DISTRICTS
      lowest = min(lowest, uintBitsToFloat(bits));
#else
      lowest = min(lowest, fromOrdered(bits) - SMOE_SLACK);
#endif
    }
  }
  boxBars[box] = lowest;
}
