// SPDX-License-Identifier: BSD-3-Clause
// flipcircle: The inner disc upside down.
// Number 152
#include "shaders/flame/chaos/point.glsl"

vec2 variation_flipcircle(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(x, x * x + y * y > w * w ? y : -y);
}
