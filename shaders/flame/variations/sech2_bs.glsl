// SPDX-License-Identifier: BSD-3-Clause
// sech2_bs: sech of x + iy with factors.
// Number 232
// Parameters: x1 1 (-5 to 5), x2 1 (-5 to 5), y1 1 (-5 to 5), y2 1 (-5 to 5)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sech2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float den = cosine(2.0 * y) + coshOf(2.0 * x);
  if (den == 0.0) return vec2(0.0, 0.0);
  return 2.0 * w * vec2(cosine(y * y2) * coshOver(x * x2, 2.0 * x, den), -sine(y * y1) *
      sinhOver(x * x1, 2.0 * x, den));
}
