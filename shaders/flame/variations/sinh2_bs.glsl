// SPDX-License-Identifier: BSD-3-Clause
// sinh2_bs: sinh of x + iy with factors.
// Number 224
// Parameters: x1 1 (-5 to 5), x2 1 (-5 to 5), y1 1 (-5 to 5), y2 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sinh2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(sinhOf(x * x1) * cosine(y * y2), coshOf(x * x2) * sine(y * y1));
}
