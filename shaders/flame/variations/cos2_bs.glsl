// SPDX-License-Identifier: BSD-3-Clause
// cos2_bs: cos of x + iy with factors.
// Number 174
// Parameters: x1 1 (-3 to 3), x2 1 (-3 to 3), y1 1 (-3 to 3), y2 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cos2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float ea = exp(y * y1), eb = exp(y * y2);
  return w * vec2(cosineWide(x * x2) * 0.5 * (eb + 1.0 / eb), -sineWide(x * x1) * 0.5 * (ea - 1.0 /
      ea));
}
