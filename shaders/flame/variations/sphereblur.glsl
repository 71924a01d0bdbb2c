// SPDX-License-Identifier: BSD-3-Clause
// sphereblur: A ball, denser towards the middle.
// Beside JWildfire: not compared
// Number 274: makes z, adds
// Parameters: power 1 (0 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_sphereblur(Point p, float w, float power) {
  float turn = kTwoPi * unit();
  float u = 2.0 * unit() - 1.0;
  float v = 2.0 * powOf(unit(), max(power, 0.0)) - 1.0;
  float r = w * powOf(angleOf(sqrt(max(1.0 - v * v, 0.0)), v) / kPi, 1.0 / 3.0), side =
      sqrt(max(1.0 - u * u, 0.0));
  return r * vec3(side * direction(turn), u);
}
