// SPDX-License-Identifier: BSD-3-Clause
// squarize: Circles become squares.
// Number 183
#include "shaders/flame/chaos/point.glsl"

vec2 variation_squarize(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float s = sqrt(x * x + y * y), a = angleOf(y, x);
  float along = 4.0 * s / kPi * (a < 0.0 ? a + kTwoPi : a);
  if (along <= s) return w * vec2(s, along);
  if (along <= 3.0 * s) return w * vec2(2.0 * s - along, s);
  if (along <= 5.0 * s) return w * vec2(-s, 4.0 * s - along);
  if (along <= 7.0 * s) return w * vec2(along - 6.0 * s, -s);
  return w * vec2(s, along - 8.0 * s);
}
