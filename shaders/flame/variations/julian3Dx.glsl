// SPDX-License-Identifier: BSD-3-Clause
// julian3Dx: julian with a matrix and a height.
// Number 130: makes z
// Parameters: power 2 (-10 to 10), dist 1 (-3 to 3), a 1 (-3 to 3), b 0 (-3 to 3), c 0 (-3 to 3),
//   d 1 (-3 to 3), e 0 (-3 to 3), f 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_julian3Dx(Point p, float w, float power, float dist, float a, float b, float c,
        float d, float e, float f) {
  float x = p.xy.x, y = p.xy.y;
  float h = x / abs(power), s = x * x + y * y;
  float k = w * powOf(s + h * h, 0.5 * (dist / power - 1.0));
  float tx = a * x + b * y + e, ty = c * x + d * y + f;
  float turn = trunc(abs(power) * unit());
  vec2 q = direction((angleOf(ty, tx) + kTwoPi * turn) / power);
  return vec3(k * sqrt(s) * q, k * h);
}
