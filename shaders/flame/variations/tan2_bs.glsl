// SPDX-License-Identifier: BSD-3-Clause
// tan2_bs: tan of x + iy with factors.
// Number 226
// Parameters: x1 2 (-5 to 5), x2 2 (-5 to 5), y1 2 (-5 to 5), y2 2 (-5 to 5)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tan2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float den = cosine(x2 * x) + coshOf(y2 * y);
  return w * vec2(sine(x1 * x) / den, sinhOver(y1 * y, y2 * y, den));
}
