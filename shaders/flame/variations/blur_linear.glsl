// SPDX-License-Identifier: BSD-3-Clause
// blur_linear: The point, smeared along a line.
// Number 214
// Parameters: length 1 (-3 to 3), angle 0.5 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_linear(Point p, float w, float length, float angle) {
  float x = p.xy.x, y = p.xy.y;
  return w * (vec2(x, y) + length * unit() * direction(angle));
}
