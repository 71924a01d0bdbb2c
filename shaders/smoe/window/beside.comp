// SPDX-License-Identifier: BSD-3-Clause
// Source, decoded picture and their amplified difference, side by side; one invocation per pixel of
// all three. The source is read between its pixels by linear interpolation, and is black outside.
// Source and picture keep their alpha; an error of it counts like one of a color.
// Without one (sourceSize 0) only the picture is there. Thin dark lines stand between them.
#include "shaders/smoe/window/compare.h"
#include "shaders/smoe/window/displayed.glsl"
layout(local_size_x = SMOE_COMPARE_SIZE, local_size_y = SMOE_COMPARE_SIZE) in;

layout(std140, binding = SMOE_COMPARE_PARAMS) uniform Params { SmoeCompare params; };
layout(binding = SMOE_COMPARE_SOURCE) uniform sampler2D source;
layout(binding = SMOE_COMPARE_PICTURE) uniform sampler2D picture;
layout(binding = SMOE_COMPARE_RESULT, rgba32f) uniform restrict writeonly image2D result;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= 3 * params.size.x || at.y >= params.size.y) return;
  int panel = at.x / params.size.x;
  ivec2 pixel = ivec2(at.x - panel * params.size.x, at.y);
  bool known = params.sourceSize.x > 0;
  vec2 inSource = (params.corner + (vec2(pixel) + 0.5) * params.step) /
                  vec2(max(params.sourceSize, ivec2(1)));
  bool inside = known && all(greaterThan(inSource, vec2(0.0))) && all(lessThan(inSource, vec2(1.0)));
  vec4 model = texelFetch(picture, pixel, 0);
  vec4 wanted = inside ? textureLod(source, inSource, 0.0) : vec4(0.0, 0.0, 0.0, 1.0);
  vec4 color = model;
  if (panel == 0) color = wanted;
  if (panel == 2)
    color = vec4(inside ? lightOf(params.gain * errorOf(model, wanted)) : vec3(0.0), 1.0);
  if (panel > 0 && pixel.x == 0) color = vec4(0.0, 0.0, 0.0, 1.0);
  imageStore(result, at, color);
}
