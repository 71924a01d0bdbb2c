// SPDX-License-Identifier: BSD-3-Clause
// cosh2_bs: cosh of x + iy with factors.
// Number 225
// Parameters: x1 1 (-5 to 5), x2 1 (-5 to 5), y1 1 (-5 to 5), y2 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cosh2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(coshOf(x * x2) * cosine(y * y2), sinhOf(x * x1) * sine(y * y1));
}
