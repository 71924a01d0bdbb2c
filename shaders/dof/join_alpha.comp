// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel: the alpha that a variant accumulated by itself, in place of what the picture
// has there. The 320 variants know three channels.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(binding = DOF_TEXTURE_ALPHA) uniform sampler2D alphas;
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict image2D result;

void main() {
  ivec2 pixel = ivec2(gridInvocation());
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec3 color = imageLoad(result, pixel).rgb;
  imageStore(result, pixel, vec4(color, texelFetch(alphas, pixel, 0).r));
}
