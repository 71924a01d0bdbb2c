// SPDX-License-Identifier: BSD-3-Clause
// acosech: Inverse cosh of 1 / (x + iy), axes swapped, either sign.
// Number 234
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_acosech(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float k = 1.0 / (x * x + y * y);
  vec2 q = complexAcosh(vec2(x * k, -y * k));
  return (unit() < 0.5 ? w : -w) * 2.0 / kPi * vec2(q.y, q.x);
}
