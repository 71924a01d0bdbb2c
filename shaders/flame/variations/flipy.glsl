// SPDX-License-Identifier: BSD-3-Clause
// flipy: The right half upside down.
// Number 151
#include "shaders/flame/chaos/point.glsl"

vec2 variation_flipy(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(x, x > 0.0 ? -y : y);
}
