// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel of the picture area. Reads what is shown as scene-linear values (alpha 0:
// display values already), writes display values by the transform that OpenColorIO wrote; its text and
// the samplers of its tables are generated. Each pixel is written once.
#include "shaders/window/shared.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = VIEWER_TEXTURE_PICTURE) uniform sampler2D picture;
layout(binding = 0, rgba8) uniform restrict writeonly image2D shown;

#include "generated/display_transform.glsl"

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  vec4 value = texelFetch(picture, pixel, 0);
  vec4 result = value.a == 0.0 ? value : displayTransform(value);
  imageStore(shown, pixel, vec4(clamp(result.rgb, 0.0, 1.0), 1.0));
}
