// SPDX-License-Identifier: BSD-3-Clause
// butterfly: Two wings.
// Number 57
#include "shaders/flame/chaos/point.glsl"

vec2 variation_butterfly(Point p, float w) {
  float x = p.xy.x, y = 2 * p.xy.y;
  float k = 1.30294003 * sqrt(abs(p.xy.x * p.xy.y) / (kEps + x * x + y * y));
  return w * k * vec2(x, y);
}
