// SPDX-License-Identifier: BSD-3-Clause
// tancos: tanh and cos of the radius squared.
// Number 244
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tancos(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float r2 = x * x + y * y;
  if (r2 == 0.0) return vec2(0.0, 0.0);
  return 2.0 * w / r2 * vec2((1.0 - 2.0 / (exp(min(2.0 * r2, 40.0)) + 1.0)) * x, cosineWide(r2) *
      y);
}
