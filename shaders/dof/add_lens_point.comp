// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel adds the view from a lens point to the sum, whose alpha counts the points,
// and writes the mean. Deterministic: points come one after the other.
#include "shaders/dof/shared.h"
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D view;
layout(binding = DOF_IMAGE_SUM, rgba32f) uniform restrict image2D sum;
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec4 all = imageLoad(sum, pixel) + vec4(texelFetch(view, pixel, 0).rgb, 1.0);
  imageStore(sum, pixel, all);
  imageStore(result, pixel, vec4(all.rgb / all.a, 1.0));
}
