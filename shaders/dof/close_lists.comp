// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot: a pixel gets one fragment more, the background, where that can be seen. Where
// the front surface is translucent, what was counted aside is captured too, as if there were none, and what
// lies behind will be counted. Slots beyond the border stay empty.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/slots.glsl"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_SLOTS) restrict buffer Counts { uint counts[]; };
layout(std430, binding = DOF_BIND_CURSORS) restrict readonly buffer Aside { uint aside[]; };
layout(std430, binding = DOF_BIND_SEEN) restrict buffer Seen { float seen[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.tilesX * params.tilesY * DOF_TILE_PIXELS || !isPixelOf(slot)) return;
  uint beyond = aside[slot];
  bool marked = (beyond & DOF_MARK) != 0u;
  if (marked) {
    seen[3u * slot] = seen[3u * slot + 2u] = -1.0;
    counts[slot] += beyond & ~DOF_MARK;
  }
  if (seen[3u * slot + 2u] <= 0.0) counts[slot] += 1u;
}
