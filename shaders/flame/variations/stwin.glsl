// SPDX-License-Identifier: BSD-3-Clause
// stwin: A ripple across the diagonal.
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
