// SPDX-License-Identifier: BSD-3-Clause
// square: A square, whatever the point.
// Number 43
#include "shaders/flame/chaos/point.glsl"

vec2 variation_square(Point p, float w) {
  float x = unit() - 0.5, y = unit() - 0.5;
  return w * vec2(x, y);
}
