// SPDX-License-Identifier: BSD-3-Clause
// mobius: (a z + b) / (c z + d).
// Number 98: may drop z
// Parameters: re_a 0 (-3 to 3), im_a 0 (-3 to 3), re_b 0 (-3 to 3), im_b 0 (-3 to 3),
//   re_c 0 (-3 to 3), im_c 0 (-3 to 3), re_d 0 (-3 to 3), im_d 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_mobius(Point p, float w, float re_a, float im_a, float re_b, float im_b, float re_c,
                      float im_c, float re_d, float im_d) {
  float x = p.xy.x, y = p.xy.y;
  vec2 u = vec2(re_a * x - im_a * y + re_b, re_a * y + im_a * x + im_b);
  vec2 v = vec2(re_c * x - im_c * y + re_d, re_c * y + im_c * x + im_d);
  if (v.x == 0.0 && v.y == 0.0 && inOrder()) {  // nothing there in JWildfire
    dropZ();
    return vec2(0.0, 0.0);
  }
  return w / dot(v, v) * vec2(u.x * v.x + u.y * v.y, u.y * v.x - u.x * v.y);
}
