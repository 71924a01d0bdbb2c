// SPDX-License-Identifier: BSD-3-Clause
// bi_linear: x and y swapped.
// Number 164
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bi_linear(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(y, x);
}
