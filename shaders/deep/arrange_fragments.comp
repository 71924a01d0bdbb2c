// SPDX-License-Identifier: BSD-3-Clause
// Upload, second pass: one invocation per slot copies its list from raster order (scratch: Fragment[F], at
// the offsets in order) into the layout, whose tables are complete. A linked list takes the nodes
// 1 + raster offset and on, linked forward.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint rasterOffsets[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Source { Fragment source[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) {
#if LAYOUT == DEEP_LAYOUT_LL
    table[0].items[slot] = 0u;
#endif
    return;
  }
  uint i = pixel.y * params.width + pixel.x;
  uint first = rasterOffsets[i], end = rasterOffsets[i + 1u];

#if LAYOUT == DEEP_LAYOUT_LL
  table[0].items[slot] = first < end ? first + 1u : 0u;
  for (uint at = first; at < end; ++at) {
    data[0].items[at + 1u] = source[at];
    extra[0].items[at + 1u] = at + 1u < end ? at + 2u : 0u;
  }
#else
  Cursor c = openList(0, slot);
  for (uint at = first; at < end; ++at) store(0, c, source[at]);
#endif
}
