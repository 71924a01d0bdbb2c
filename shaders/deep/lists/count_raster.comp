// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot adds its count to order: uint[height * width] in raster order. Starts a
// download, and sums the lists of several images into depth complexity.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict buffer RasterCounts { uint rasterCounts[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (isPixel(pixel)) rasterCounts[pixel.y * params.width + pixel.x] += listCount(0, slot);
}
