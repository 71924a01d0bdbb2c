// SPDX-License-Identifier: BSD-3-Clause
// glynnia: Halves of square roots, swapped at the unit circle.
// Number 145
#include "shaders/flame/chaos/point.glsl"

vec2 variation_glynnia(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float radius = sqrt(x * x + y * y);
  float u = unit();
  float side = radius >= 1.0 ? 1.0 : -1.0;
  float d = max(radius + x, 0.0);
  float half_root = 0.707106781 * w;
  if (u > 0.5) return vec2(side * half_root * sqrt(d), -half_root / sqrt(d) * y);
  float k = w / sqrt(radius * (y * y + d * d));
  return k * vec2(side * d, y);
}
