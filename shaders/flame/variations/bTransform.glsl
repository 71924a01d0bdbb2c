// SPDX-License-Identifier: BSD-3-Clause
// bTransform: A turn in bipolar coordinates.
// Number 171
// Parameters: rotate 0 (-3.15 to 3.15), power 1 (1 to 10), move 0 (-3 to 3), split 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bTransform(Point p, float w, float rotate, float power, float move, float split) {
  float x = p.xy.x, y = p.xy.y;
  float tau = 0.5 * (logOf((x + 1.0) * (x + 1.0) + y * y) - logOf((x - 1.0) * (x - 1.0) + y * y)) /
      power + move + (x >= 0.0 ? split : -split);
  float turn = floor(power * unit());
  float sigma = (kPi - angleOf(y, x + 1.0) - angleOf(y, 1.0 - x) + rotate + kTwoPi * turn) / power;
  float grown = exp(tau), shrunk = 1.0 / grown;
  float k = w / (0.5 * (grown + shrunk) - cosine(sigma));
  return k * vec2(0.5 * (grown - shrunk), sine(sigma));
}
