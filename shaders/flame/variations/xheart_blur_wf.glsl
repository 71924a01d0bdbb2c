// SPDX-License-Identifier: BSD-3-Clause
// xheart_blur_wf: A heart of dust.
// Number 217: adds
// Parameters: angle 0 (-3 to 3), ratio 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_xheart_blur_wf(Point p, float w, float angle, float ratio) {
  float u = 2.0 - 4.0 * unit();
  float v = 2.0 - 4.0 * unit();
  float k = 1.0 / (u * u + v * v + 4.0);
  vec2 d = direction(0.25 * kPi + 0.125 * kPi * angle);
  float bx = 4.0 * k * u, by = (6.0 + 2.0 * ratio) * k * v;
  float qx = d.x * bx - d.y * by, qy = d.y * bx + d.x * by;
  return w * vec2(qx, qx > 0.0 ? qy : -qy);
}
