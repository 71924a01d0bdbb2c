// SPDX-License-Identifier: BSD-3-Clause
// gaussian: The point, blurred like a bell.
// Beside JWildfire: not compared
// Number 265
#include "shaders/flame/chaos/point.glsl"

vec2 variation_gaussian(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float turn = kTwoPi * unit();
  float a = unit();
  float b = unit();
  float c = unit();
  float r = w * (a + b + c + unit() - 2.0);
  return vec2(x, y) + r * direction(turn);
}
