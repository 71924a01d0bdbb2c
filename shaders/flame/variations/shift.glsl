// SPDX-License-Identifier: BSD-3-Clause
// shift: A shift along a turned axis.
// Number 180
// Parameters: shift_x 0.1 (-3 to 3), shift_y 0.06 (-3 to 3), angle 12.25 (-180 to 180)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_shift(Point p, float w, float shift_x, float shift_y, float angle) {
  float x = p.xy.x, y = p.xy.y;
  vec2 d = direction(angle / 180.0 * kPi);
  return w * vec2(x + d.x * shift_x - d.y * shift_y, y - d.x * shift_y - d.y * shift_x);
}
