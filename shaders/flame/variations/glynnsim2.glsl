// SPDX-License-Identifier: BSD-3-Clause
// glynnsim2: An arc, the rest inverted by chance.
// Beside JWildfire: not compared
// Number 264
// Parameters: radius 1 (0.1 to 3), thickness 0.1 (0 to 1), contrast 0.5 (0 to 1),
//   pow 1.5 (-3 to 3), phi1 110 (-360 to 360), phi2 150 (-360 to 360)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_glynnsim2(Point p, float w, float radius, float thickness, float contrast, float
    pow_p, float phi1, float phi2) {
  float x = p.xy.x, y = p.xy.y;
  float r = sqrt(x * x + y * y), alpha = radius / r;
  bool keeps = unit() > contrast * powOf(alpha, abs(pow_p));
  float size = radius + thickness - thickness * (2.0 * radius + thickness) / (radius + thickness)
      * unit();
  vec2 arc = size * direction(kPi / 180.0 * (phi1 + (phi2 - phi1) * unit()));
  return w * (r < radius ? arc : keeps ? vec2(x, y) : alpha * alpha * vec2(x, y));
}
