// SPDX-License-Identifier: BSD-3-Clause
// cylinder2: x is squeezed between -1 and 1.
// Number 241
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cylinder2(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(x / sqrt(x * x + 1.0), y);
}
