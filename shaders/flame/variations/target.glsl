// SPDX-License-Identifier: BSD-3-Clause
// target: Rings turned by two angles.
// Number 149
// Parameters: even 0 (-3.15 to 3.15), odd 0 (-3.15 to 3.15), size 1 (0.1 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_target(Point p, float w, float even, float odd, float size) {
  float x = p.xy.x, y = p.xy.y;
  float radius = sqrt(x * x + y * y), t = logOf(radius);
  t = fmodOf(abs(t < 0.0 ? t - 0.5 * size : t), size);
  return radius * direction(angleOf(y, x) + (t < 0.5 * size ? even : odd));
}
