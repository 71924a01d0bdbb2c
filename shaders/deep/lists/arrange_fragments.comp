// SPDX-License-Identifier: BSD-3-Clause
// Arranging, second pass: one invocation per slot copies its list from the source (list_source.glsl;
// scratch: Fragment[F]) into the layout, whose tables are complete. A linked list takes the nodes
// 1 + offset and on, linked forward.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/list_source.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Source { Fragment source[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 range = sourceRange(slot);

#if LAYOUT == DEEP_LAYOUT_LL
  table[0].items[slot] = range.x < range.y ? range.x + 1u : 0u;
  for (uint at = range.x; at < range.y; ++at) {
    data[0].items[at + 1u] = source[at];
    extra[0].items[at + 1u] = at + 1u < range.y ? at + 2u : 0u;
  }
#else
  Cursor c = openList(0, slot);
  for (uint at = range.x; at < range.y; ++at) store(0, c, source[at]);
#endif
  expectWhole();
}
