// SPDX-License-Identifier: BSD-3-Clause
// npolar: julian in polar coordinates.
// Number 148
// Parameters: parity 0 (-5 to 5), n 1 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_npolar(Point p, float w, float parity, float n) {
  float x = p.xy.x, y = p.xy.y;
  float nn = n == 0.0 ? 1.0 : n;
  float odd = abs(parity) - 2.0 * floor(0.5 * abs(parity));
  float tx = odd > 0.5 ? x : w / kPi * angleOf(x, y);
  float ty = odd > 0.5 ? y : 0.5 * w / kPi * logOf(x * x + y * y);
  float turn = trunc(abs(nn) * unit());
  float a = (angleOf(ty, tx) + kTwoPi * turn) / nn;
  float radius = w * powOf(tx * tx + ty * ty, 0.5 / nn) * (odd > 0.5 ? parity : 1.0);
  vec2 q = radius * direction(a);
  return odd > 0.5 ? q : vec2(0.5 * w / kPi * logOf(q.x * q.x + q.y * q.y), w / kPi * angleOf(q.x,
      q.y));
}
