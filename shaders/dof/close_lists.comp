// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot: a pixel without an opaque fragment gets one more, the background. Slots
// beyond the border stay empty.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/slots.glsl"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_SLOTS) restrict buffer Counts { uint counts[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.tilesX * params.tilesY * DOF_TILE_PIXELS) return;
  uint n = counts[slot];
  bool opened = (n & 0x80000000u) == 0u && isPixelOf(slot);
  counts[slot] = (n & 0x7FFFFFFFu) + (opened ? 1u : 0u);
}
