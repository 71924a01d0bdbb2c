// SPDX-License-Identifier: BSD-3-Clause
// depth_sine2: Blurs more the farther a point lies outside an ellipse.
// Beside JWildfire: not compared
// Number 401
// Parameters: power 1 (0 to 5), blur 1 (-3 to 3), radius 1 (0 to 3), x0 0 (-3 to 3),
//   y0 0 (-3 to 3), mulx 1 (-3 to 3), muly 1 (-3 to 3), exp 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_depth_sine2(Point p, float w, float power, float blur, float radius, float x0,
                           float y0, float mulx, float muly, float exp_p) {
  vec2 from = p.xy - vec2(x0, y0);
  float out_by = length(vec2(from.x / mulx, from.y / muly)) - radius;
  vec2 turned = direction(kTwoPi * unit());
  float part = powOf(unit(), max(power, 0.0));
  float share = angleOf(sqrt(max(1.0 - part, 0.0)), sqrt(part)) * 2.0 / kPi;
  if (out_by <= 0.0) return w * p.xy;
  return w * (p.xy + 0.1 * blur * share * powOf(out_by, exp_p) * turned);
}
