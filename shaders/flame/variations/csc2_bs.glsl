// SPDX-License-Identifier: BSD-3-Clause
// csc2_bs: csc of x + iy with factors.
// Number 230
// Parameters: x1 1 (-5 to 5), x2 1 (-5 to 5), y1 1 (-5 to 5), y2 1 (-5 to 5)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_csc2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float den = coshLessCos(2.0 * y, 2.0 * x);
  if (den == 0.0) return vec2(0.0, 0.0);
  return 2.0 * w * vec2(sine(x * x1) * coshOver(y * y2, 2.0 * y, den), -cosine(x * x2) *
      sinhOver(y * y1, 2.0 * y, den));
}
