// SPDX-License-Identifier: BSD-3-Clause
// Upload, first pass: one invocation per slot takes its count from the offsets of the image in raster order
// (order: uint[height * width + 1], exclusive) and writes it where the layout counts (LA: its table, so
// that the scan can follow). Padding slots are empty.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/slots.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
#if LAYOUT == DEEP_LAYOUT_LA
layout(std430, binding = DEEP_BIND_TABLE) restrict writeonly buffer Counts { uint counts[]; };
#else
layout(std430, binding = DEEP_BIND_COUNTS) restrict writeonly buffer Counts { uint counts[]; };
#endif
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint rasterOffsets[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  uint i = pixel.y * params.width + pixel.x;
  counts[slot] = isPixel(pixel) ? rasterOffsets[i + 1u] - rasterOffsets[i] : 0u;
}
