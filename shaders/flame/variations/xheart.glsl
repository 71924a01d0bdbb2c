// SPDX-License-Identifier: BSD-3-Clause
// xheart: A heart out of a bubble.
// Number 163
// Parameters: angle 0 (-3 to 3), ratio 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_xheart(Point p, float w, float angle, float ratio) {
  float x = p.xy.x, y = p.xy.y;
  float k = 4.0 / (x * x + y * y + 4.0), rat = (6.0 + 2.0 * ratio) / (x * x + y * y + 4.0);
  vec2 d = direction(0.25 * kPi + 0.125 * kPi * angle);
  float qx = d.x * k * x - d.y * rat * y, qy = d.y * k * x + d.x * rat * y;
  return w * vec2(qx, qx > 0.0 ? qy : -qy);
}
