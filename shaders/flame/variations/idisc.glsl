// SPDX-License-Identifier: BSD-3-Clause
// idisc: disc, turned inside out.
// Number 158
#include "shaders/flame/chaos/point.glsl"

vec2 variation_idisc(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float a = kPi / (sqrt(x * x + y * y) + 1.0), radius = w / kPi * angleOf(y, x);
  return radius * direction(a);
}
