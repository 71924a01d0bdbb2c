// SPDX-License-Identifier: BSD-3-Clause
// Alpha, decoded as a gray picture, joins the colors, which are premultiplied in linear light: none
// of them is more than alpha times the peak. One invocation per pixel.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(binding = SMOE_TEXTURE_ALPHA) uniform sampler2D alpha;
layout(rgba32f, binding = SMOE_IMAGE_RESULT) uniform restrict image2D result;
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };

void main() {
  const ivec2 size = imageSize(result);
  const int pixel = int(invocationIndex());
  const ivec2 at = ivec2(pixel % size.x, pixel / size.x);
  if (at.y >= size.y) return;
  const float a = clamp(texelFetch(alpha, at, 0).r, 0.0, 1.0);
  imageStore(result, at, vec4(clamp(imageLoad(result, at).rgb, 0.0, a * params.peak), a));
}
