// SPDX-License-Identifier: BSD-3-Clause
// Where the list of each box begins and ends, from the scanned counts: one invocation per parent and
// child. Lists that there is no room for end where the room does; what is needed is written down, and
// the host makes them again when it has seen that.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_WORKS) restrict readonly buffer Works { uint works[]; };
layout(std430, binding = SMOE_BIND_COUNTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = SMOE_BIND_RANGES) restrict writeonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = SMOE_BIND_STATS) restrict buffer Stats {
  SmoeStats stats;
  uint needs[];
};
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/decode/segments.glsl"

void main() {
  const uint item = invocationIndex();
  const uint children = level.childBlock * level.childBlock;
  const uint parent = item / children, local = item % children;
  if (parent >= level.parentCount) return;
  if (item == 0u) {
    needs[level.needs] = works[level.parentCount];
    needs[level.needs + 1u] = starts[level.groups * children];
  }
  const int block = int(level.childBlock);
  const ivec2 child = parentAt(parent) * block + ivec2(int(local) % block, int(local) / block);
  if (!all(lessThan(child, level.children))) return;
  const uint first = groupsBefore(parent), groups = groupsBefore(parent + 1u) - first;
  const uint at = first * children + local * groups;
  const uvec2 range = uvec2(starts[at], starts[at + groups]);
  ranges[childIndex(child)] = min(range, uvec2(level.entries));
  atomicMax(needs[level.needs + 2u], range.y - range.x);
}
