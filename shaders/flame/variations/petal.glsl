// SPDX-License-Identifier: BSD-3-Clause
// petal: Petals of sines.
// Number 168
#include "shaders/flame/chaos/point.glsl"

vec2 variation_petal(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float cx = cosineWide(x), a = cx * cosineWide(y), b = sineWide(x) * cosineWide(y);
  return w * cx * vec2(a * a * a, b * b * b);
}
