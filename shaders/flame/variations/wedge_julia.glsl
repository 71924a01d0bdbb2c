// SPDX-License-Identifier: BSD-3-Clause
// wedge_julia: As julian, with wedges cut out.
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/wedge_angle.glsl"

vec2 variation_wedge_julia(Point p, float w, float rootCount, float inversePower, float exponent,
                           float angle, float count, float shrink) {
  float root = trunc(rootCount * unit());
  float a = (p.phi + kTwoPi * root) * inversePower;
  return w * powOf(p.r2, exponent) * direction(wedgeAngle(a, angle, count, shrink));
}
