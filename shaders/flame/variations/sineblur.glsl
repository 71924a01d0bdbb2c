// SPDX-License-Identifier: BSD-3-Clause
// sineblur: A disc, denser towards the middle.
// Number 206: adds
// Parameters: power 1 (0 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sineblur(Point p, float w, float power) {
  float turn = unit() * kTwoPi;
  float u = unit();
  float c = 2.0 * powOf(u, max(power, 0.0)) - 1.0;
  return w / kPi * angleOf(sqrt(max((1.0 - c) * (1.0 + c), 0.0)), c) * direction(turn);
}
