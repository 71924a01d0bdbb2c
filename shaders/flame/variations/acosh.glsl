// SPDX-License-Identifier: BSD-3-Clause
// acosh: Inverse cosh of x + iy, either sign.
// Number 233
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_acosh(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  vec2 q = complexAcosh(vec2(x, y));
  return (unit() < 0.5 ? w : -w) * 2.0 / kPi * q;
}
