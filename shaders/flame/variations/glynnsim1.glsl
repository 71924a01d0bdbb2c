// SPDX-License-Identifier: BSD-3-Clause
// glynnsim1: A ring beside a disc, the rest inverted by chance.
// Beside JWildfire: not compared
// Number 263
// Parameters: radius 1 (0.1 to 3), radius1 0.1 (0.01 to 1), phi1 110 (-360 to 360),
//   thickness 0.1 (0 to 1), pow 1.5 (-3 to 3), contrast 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_glynnsim1(Point p, float w, float radius, float radius1, float phi1, float
    thickness, float pow_p, float contrast) {
  float x = p.xy.x, y = p.xy.y;
  vec2 middle = radius * direction(kPi / 180.0 * phi1);
  float r = sqrt(x * x + y * y), alpha = radius / r;
  bool keeps = unit() > contrast * powOf(alpha, abs(pow_p));
  vec2 q = keeps ? vec2(x, y) : alpha * alpha * vec2(x, y);
  float size = radius1 * (thickness + (1.0 - thickness) * unit());
  vec2 ring = middle + size * direction(kTwoPi * unit());
  vec2 away = q - middle;
  return w * (r < radius || away.x * away.x + away.y * away.y < radius1 * radius1 ? ring : q);
}
