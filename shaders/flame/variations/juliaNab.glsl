// SPDX-License-Identifier: BSD-3-Clause
// juliaNab: julian with an offset.
// Beside JWildfire: not compared
// Number 256
// Parameters: n 1 (1 to 8), a 1 (-3 to 3), b 1 (-3 to 3), separ 1 (0 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_juliaNab(Point p, float w, float n, float a, float b, float separ) {
  float x = p.xy.x, y = p.xy.y;
  float turn = floor(unit() * abs(n));
  float phi = (angleOf(y, powOf(abs(x), separ)) + kTwoPi * turn) / abs(n);
  return w * powOf(x * x + y * y, 0.5 * a / abs(n)) * direction(phi) + vec2(b, b);
}
