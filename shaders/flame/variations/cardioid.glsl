// SPDX-License-Identifier: BSD-3-Clause
// cardioid: A cardioid.
// Number 167
// Parameters: a 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cardioid(Point p, float w, float a) {
  float x = p.xy.x, y = p.xy.y;
  float t = angleOf(y, x);
  float radius = w * sqrt(x * x + y * y + sine(t * a) + 1.0);
  return radius * direction(t);
}
