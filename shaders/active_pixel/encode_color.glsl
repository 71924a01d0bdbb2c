// SPDX-License-Identifier: BSD-3-Clause
// Linear light to what a frame holds: premultiplied, and sRGB encoded where pixels are bytes.
#include "shaders/active_pixel/draw_shared.h"

layout(std140, binding = AP_DRAW_BIND_PARAMS) uniform DrawBlock { DrawParams drawParams; };

vec3 srgbFromLinear(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  vec3 high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
  return mix(high, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}

vec4 encodeColor(vec3 linear, float alpha) {
  vec3 color = linear;
  if (drawParams.flatColor.w > 0.0) {
    float light = 0.25 + 0.75 * clamp(dot(linear, vec3(0.2126, 0.7152, 0.0722)) * 1.6, 0.0, 1.0);
    color = drawParams.flatColor.rgb * (drawParams.flatColor.w < 1.0 ? light : 1.0);
  }
  if (drawParams.alpha.w > 0.0) color = srgbFromLinear(color);
  return vec4(color * alpha, alpha);
}
