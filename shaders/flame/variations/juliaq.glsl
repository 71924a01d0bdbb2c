// SPDX-License-Identifier: BSD-3-Clause
// juliaq: julia and its inverse powers.
// Number 144
// Parameters: power 3 (-10 to 10), divisor 2 (1 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_juliaq(Point p, float w, float power, float divisor) {
  float x = p.xy.x, y = p.xy.y;
  float turn = trunc(abs(power) * unit());
  float a = (angleOf(y, x) * divisor + kTwoPi * turn) / power;
  return w * powOf(x * x + y * y, 0.5 * divisor / power) * direction(a);
}
