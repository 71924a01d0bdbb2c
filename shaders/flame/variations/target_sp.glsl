// SPDX-License-Identifier: BSD-3-Clause
// target_sp: Spirals turned by two angles.
// Number 150
// Parameters: twist 0.5 (-3 to 3), n_of_sp 1 (1 to 10), size 1 (0.1 to 5), tightness 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_target_sp(Point p, float w, float twist, float n_of_sp, float size, float tightness)
        {
  float x = p.xy.x, y = p.xy.y;
  float radius = sqrt(x * x + y * y), a = angleOf(y, x);
  float t = tightness * logOf(radius) + n_of_sp / kPi * (a + kPi);
  t = fmodOf(abs(t < 0.0 ? t - 0.5 * size : t), size);
  return radius * direction(a + kPi * twist - (t < 0.5 * size ? 0.0 : kPi));
}
