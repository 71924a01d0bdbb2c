// SPDX-License-Identifier: BSD-3-Clause
// cot2_bs: cot of x + iy with factors.
// Number 227
// Parameters: x1 2 (-5 to 5), x2 2 (-5 to 5), y1 2 (-5 to 5), y2 2 (-5 to 5)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cot2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float den = coshLessCos(y2 * y, x2 * x);
  return w * vec2(sine(x1 * x) / den, -sinhOver(y1 * y, y2 * y, den));
}
