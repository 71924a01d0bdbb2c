// SPDX-License-Identifier: BSD-3-Clause
// wedge_julia: As julian, with wedges cut out.
// Number 78
// Parameters: angle 0 (-pi to pi), count 1 (0 to 12), power 1 (-10 to 10), dist 0 (-3 to 3)
// Packs: abs(power), 1 / power, dist / (2 * power), angle, count, 1 - angle * count / kTwoPi
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/wedge_angle.glsl"

vec2 variation_wedge_julia(Point p, float w, float rootCount, float inversePower, float exponent,
                           float angle, float count, float shrink) {
  float root = trunc(rootCount * unit());
  float a = (p.phi + kTwoPi * root) * inversePower;
  return w * powOf(p.r2, exponent) * direction(wedgeAngle(a, angle, count, shrink));
}
