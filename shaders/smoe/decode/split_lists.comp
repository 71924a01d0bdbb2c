// SPDX-License-Identifier: BSD-3-Clause
// How many work groups filter each parent's list, 256 entries each: one invocation per parent of the
// band. Scanned, they say where the groups of a parent begin.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer ParentRanges {
  uvec2 parentRanges[];
};
layout(std430, binding = SMOE_BIND_WORKS) restrict writeonly buffer Works { uint works[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };

void main() {
  const uint parent = invocationIndex();
  if (parent >= level.parentCount) return;
  uint count = params.count;
  if (level.hasParents != 0u) {
    const uvec2 range = parentRanges[level.firstParent + parent];
    count = range.y - range.x;
  }
  works[parent] = (count + uint(SMOE_FILTER_SIZE) - 1u) / uint(SMOE_FILTER_SIZE);
}
