// SPDX-License-Identifier: BSD-3-Clause
// twoface: spherical on the right, nothing on the left.
// Number 147
#include "shaders/flame/chaos/point.glsl"

vec2 variation_twoface(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float k = x > 0.0 ? w / (x * x + y * y) : w;
  return k * vec2(x, y);
}
