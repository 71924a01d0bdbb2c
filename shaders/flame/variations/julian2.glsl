// SPDX-License-Identifier: BSD-3-Clause
// julian2: julian after a matrix.
// Number 142
// Parameters: power 2 (-10 to 10), dist 1 (-3 to 3), a 1 (-3 to 3), b 0 (-3 to 3), c 0 (-3 to 3),
//   d 1 (-3 to 3), e 0 (-3 to 3), f 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_julian2(Point p, float w, float power, float dist, float a, float b, float c, float
        d, float e, float f) {
  float x = p.xy.x, y = p.xy.y;
  float tx = a * x + b * y + e, ty = c * x + d * y + f;
  float turn = trunc(abs(power) * unit());
  return w * powOf(tx * tx + ty * ty, 0.5 * dist / power) * direction((angleOf(ty, tx) + kTwoPi *
      turn) / power);
}
