// SPDX-License-Identifier: BSD-3-Clause
// The fitter's error map as a small picture for the window, in the colors of a heat map; one
// invocation per pixel of it, which looks at the middle of what it covers.
#include "shaders/smoe/window/compare.h"
layout(local_size_x = SMOE_COMPARE_SIZE, local_size_y = SMOE_COMPARE_SIZE) in;

layout(std140, binding = SMOE_COMPARE_PARAMS) uniform Params { SmoeCompare params; };
layout(binding = SMOE_COMPARE_SOURCE) uniform sampler2D source;
layout(binding = SMOE_COMPARE_RESULT, rgba8) uniform restrict writeonly image2D result;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= params.size.x || pixel.y >= params.size.y) return;
  vec2 at = (params.corner + (vec2(pixel) + 0.5) * params.step) / vec2(params.sourceSize);
  vec3 error = textureLod(source, at, 0.0).rgb;
  float t = clamp(params.gain * max(error.r, max(error.g, error.b)), 0.0, 1.0);
  // Black, purple, orange, pale yellow: brightness grows evenly.
  vec3 color = t < 0.5 ? mix(vec3(0.0, 0.0, 0.02), vec3(0.73, 0.21, 0.33), t * 2.0)
                       : mix(vec3(0.73, 0.21, 0.33), vec3(0.99, 0.99, 0.64), t * 2.0 - 1.0);
  imageStore(result, pixel, vec4(color, 1.0));
}
