// SPDX-License-Identifier: BSD-3-Clause
// The longest of the lists that filter_boxes.comp counted, and all of them together: one invocation
// per list.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_COUNTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = SMOE_BIND_STATS) restrict buffer Stats { SmoeStats stats; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };

// Of `level` only these: firstChild = number of lists, segments = stride of their starts.
void main() {
  const uint list = invocationIndex();
  if (list >= level.firstChild) return;
  const uint end = starts[(list + 1u) * level.segments];
  atomicMax(stats.listLongest, end - starts[list * level.segments]);
  if (list + 1u == level.firstChild) stats.listTotal = end;
}
