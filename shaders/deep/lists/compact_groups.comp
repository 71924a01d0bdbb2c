// SPDX-License-Identifier: BSD-3-Clause
// One invocation per group writes its number behind those of smaller classes and smaller numbers: groups
// of one length class become neighbors, in their old order. Reads the scanned flags of
// summarize_groups.comp (uint[DEEP_CLASSES * groups + 1]), writes scratch uint[groups].
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/slots.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Order { uint positions[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict writeonly buffer Groups { uint sortedGroups[]; };

void main() {
  uint group = invocationIndex(), groups = params.slotCount / DEEP_GROUP;
  if (group >= groups) return;
  for (uint c = 0u; c < DEEP_CLASSES; ++c) {
    uint position = positions[c * groups + group];
    if (positions[c * groups + group + 1u] > position) sortedGroups[position] = group;
  }
}
