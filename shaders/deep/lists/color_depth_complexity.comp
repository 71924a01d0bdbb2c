// SPDX-License-Identifier: BSD-3-Clause
// Heat map: one invocation per pixel colors the number of its fragments (order: uint[height * width], raster)
// by length class: 0, 1, 2..8, ..16, ..32, ..64, ..128, ..256, ..512, more. The classes are those by which
// lists are sorted (Archer 2018 and its backwards memory allocation); the colors come from the host, so
// that picture and legend cannot differ.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/slots.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer RasterCounts { uint rasterCounts[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Colors { vec4 colors[]; };
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;

uint heatClass(uint count) {
  if (count < 2u) return count;
  if (count > DEEP_LONGEST) return 9u;
  return 2u + uint(max(findMSB(count - 1u), 2) - 2);
}

void main() {
  uint i = invocationIndex();
  if (i >= params.width * params.height) return;
  uvec2 pixel = uvec2(i % params.width, i / params.width);
  imageStore(result, ivec2(pixel + uvec2(params.originX, params.originY)),
             colors[heatClass(rasterCounts[i])]);
}
