// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot: a pixel gets one fragment more, the background. Slots beyond the border
// stay empty.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/slots.glsl"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_SLOTS) restrict buffer Counts { uint counts[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.tilesX * params.tilesY * DOF_TILE_PIXELS) return;
  if (isPixelOf(slot)) counts[slot] += 1u;
}
