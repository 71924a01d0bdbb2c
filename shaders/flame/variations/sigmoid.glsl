// SPDX-License-Identifier: BSD-3-Clause
// sigmoid: The logistic curve along both axes.
// Number 181
// Parameters: shiftx 1 (-3 to 3), shifty 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sigmoid(Point p, float w, float shiftx, float shifty) {
  float x = p.xy.x, y = p.xy.y;
  float ax = abs(shiftx) < 1.0 && shiftx < 0.0 ? -1.0 : 1.0, ay = abs(shifty) < 1.0 && shifty < 0.0
      ? -1.0 : 1.0;
  float sx = shiftx == 0.0 ? 1e-10 : abs(shiftx) < 1.0 ? 1.0 / shiftx : shiftx;
  float sy = shifty == 0.0 ? 1e-10 : abs(shifty) < 1.0 ? 1.0 / shifty : shifty;
  return abs(w) * vec2(2.0 * (ax / (1.0 + exp(-5.0 * sx * x)) - 0.5), 2.0 * (ay / (1.0 + exp(-5.0 *
      sy * y)) - 0.5));
}
