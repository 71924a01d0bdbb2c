// SPDX-License-Identifier: BSD-3-Clause
// sec2_bs: sec of x + iy with factors.
// Number 175
// Parameters: x1 1.25 (-3 to 3), x2 0.75 (-3 to 3), y1 1.5 (-3 to 3), y2 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sec2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float ea = exp(y * y1), eb = exp(y * y2), ec = exp(2.0 * y);
  float k = 2.0 * w / (cosineWide(2.0 * x) + 0.5 * (ec + 1.0 / ec));
  return k * vec2(cosineWide(x * x2) * 0.5 * (eb + 1.0 / eb), sineWide(x * x1) * 0.5 * (ea - 1.0 /
      ea));
}
