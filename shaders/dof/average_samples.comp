// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel: the mean of its SAMPLES x SAMPLES samples, each of which was a pixel until
// now. Premultiplied color and alpha; always in the same order: deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
#ifndef SAMPLES
#define SAMPLES 2  // along a pixel's side
#endif
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(binding = DOF_TEXTURE_BLURRED) uniform sampler2D blurred;  // SAMPLES times as wide and high
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

void main() {
  ivec2 pixel = ivec2(gridInvocation());
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec4 sum = vec4(0.0);
  for (int y = 0; y < SAMPLES; ++y)
    for (int x = 0; x < SAMPLES; ++x)
      sum += texelFetch(blurred, pixel * SAMPLES + ivec2(x, y), 0);
  imageStore(result, pixel, sum / float(SAMPLES * SAMPLES));
}
