// SPDX-License-Identifier: BSD-3-Clause
// Replaces the picture by its difference from the source, amplified; one invocation per pixel. Both
// are compared as they are displayed (sRGB) over black, and by their alpha, between pixels of the source by its linear
// interpolation. Outside of the source there is nothing to compare with: black.
#include "shaders/smoe/window/compare.h"
#include "shaders/smoe/window/displayed.glsl"
layout(local_size_x = SMOE_COMPARE_SIZE, local_size_y = SMOE_COMPARE_SIZE) in;

layout(std140, binding = SMOE_COMPARE_PARAMS) uniform Params { SmoeCompare params; };
layout(binding = SMOE_COMPARE_SOURCE) uniform sampler2D source;
layout(binding = SMOE_COMPARE_RESULT, rgba32f) uniform restrict image2D result;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= params.size.x || pixel.y >= params.size.y) return;
  vec2 at = (params.corner + (vec2(pixel) + 0.5) * params.step) / vec2(params.sourceSize);
  vec3 color = vec3(0.0);
  if (at.x > 0.0 && at.y > 0.0 && at.x < 1.0 && at.y < 1.0)
    color =
        lightOf(params.gain * errorOf(imageLoad(result, pixel), textureLod(source, at, 0.0)));
  imageStore(result, pixel, vec4(color, 1.0));
}
