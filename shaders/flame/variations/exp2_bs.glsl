// SPDX-License-Identifier: BSD-3-Clause
// exp2_bs: exp of x + iy with factors.
// Number 176
// Parameters: x1 1 (-3 to 3), y1 1 (-3 to 3), y2 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_exp2_bs(Point p, float w, float x1, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  return w * exp(x * x1) * vec2(cosineWide(y * y2), sineWide(y * y1));
}
