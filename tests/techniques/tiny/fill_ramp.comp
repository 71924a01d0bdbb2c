// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel, rows one after the other; writes its gray. Nothing is shared, so the
// order of invocations does not matter.
#include "shaders/common/invocation.glsl"
#include "tests/techniques/tiny/shared.h"
layout(local_size_x = TINY_FILL_SIZE) in;
layout(std140, binding = TINY_BIND_PARAMS) uniform Params { FillParams params; };
layout(rgba32f, binding = TINY_IMAGE_RAMP) uniform restrict writeonly image2D ramp;

void main() {
  const ivec2 size = imageSize(ramp);
  uint index = invocationIndex();
#ifdef TINY_LOSES_PIECES  // a fault planted by stress_test.cpp: each piece of a dispatch is the first
  index -= firstGroup * gl_WorkGroupSize.x;
#endif
  if (index >= uint(size.x) * uint(size.y)) return;
  const ivec2 pixel = ivec2(index % uint(size.x), index / uint(size.x));
  float t = (float(pixel.x) + 0.5) / float(size.x);
  if (params.steps > 1u)
    t = floor(t * float(params.steps)) / float(params.steps - 1u);
  else if (params.steps == 1u)
    t = 0.0;
  imageStore(ramp, pixel, vec4(vec3(mix(params.left, params.right, t)), 1));
}
