// SPDX-License-Identifier: BSD-3-Clause
// heart_wf: A heart.
// Number 162
// Parameters: scale_x 1 (-3 to 3), shift_t 0 (-60 to 60), scale_r_left 1 (-3 to 3),
//   scale_r_right 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_heart_wf(Point p, float w, float scale_x, float shift_t, float scale_r_left, float
        scale_r_right) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y), radius = sqrt(x * x + y * y);
  float t = min(60.0, abs(a) / kPi * 60.0 * (a < 0.0 ? scale_r_left : scale_r_right) - shift_t);
  float side = a < 0.0 ? -1.0 : 1.0;
  float nx = side * 0.001 * (-t * t + 40.0 * t + 1200.0) * sine(kPi * t / 180.0) * radius;
  float ny = -0.001 * (-t * t + 40.0 * t + 400.0) * cosine(kPi * t / 180.0) * radius;
  return w * vec2(nx * scale_x, ny);
}
