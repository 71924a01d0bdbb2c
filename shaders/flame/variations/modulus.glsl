// SPDX-License-Identifier: BSD-3-Clause
// modulus: Brings the plane back into a rectangle.
// Number 68
// Parameters: x 0 (-3 to 3), y 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

float wrapped(float v, float limit) {
  float above = -limit + fmodOf(v + limit, 2 * limit), below = limit - fmodOf(limit - v, 2 * limit);
  return v > limit ? above : v < -limit ? below : v;
}

vec2 variation_modulus(Point p, float w, float x, float y) {
  return w * vec2(wrapped(p.xy.x, x), wrapped(p.xy.y, y));
}
