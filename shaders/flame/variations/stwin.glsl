// SPDX-License-Identifier: BSD-3-Clause
// stwin: A ripple across the diagonal.
// Number 253
// Parameters: distort 1 (-3 to 3), offset_xy 0 (-5 to 5), offset_x2 0 (-5 to 5),
//   offset_y2 0 (-5 to 5), multiplier 0.05 (-1 to 1), multiplier2 0.0001 (-0.01 to 0.01),
//   multiplier3 0.1 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_stwin(Point p, float w, float distort, float offset_xy, float offset_x2, float
    offset_y2, float multiplier, float multiplier2, float multiplier3) {
  float x = p.xy.x, y = p.xy.y;
  float a = x * w * multiplier, b = y * w * multiplier;
  float a2 = a * a + offset_x2 * multiplier2, b2 = b * b + offset_y2 * multiplier2;
  float wave = (a2 - b2) * sine(kTwoPi * distort * (a + b + offset_xy * multiplier3));
  float sum = a2 + b2;
  float k = wave / (sum == 0.0 ? 1.0 : sum);
  return vec2(w * x + k, w * y + k);
}
