// SPDX-License-Identifier: BSD-3-Clause
// Arranging, first pass: one invocation per slot writes the count of its list in the source (see
// list_source.glsl) where the layout counts (LA: its table, so that the scan can follow).
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/slots.glsl"
#include "shaders/deep/lists/list_source.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
#if LAYOUT == DEEP_LAYOUT_LA
layout(std430, binding = DEEP_BIND_TABLE) restrict writeonly buffer Counts { uint counts[]; };
#else
layout(std430, binding = DEEP_BIND_COUNTS) restrict writeonly buffer Counts { uint counts[]; };
#endif

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 source = sourceRange(slot);
  counts[slot] = source.y - source.x;
}
