// SPDX-License-Identifier: BSD-3-Clause
// depth_blur2: Blurs by a star, more the farther a point lies outside an ellipse.
// Beside JWildfire: not compared
// Number 419
// Parameters: power 5 (1 to 12), range 0.401623 (0 to 1), blur 1 (-3 to 3), radius 1 (0 to 3),
//   x0 0 (-3 to 3), y0 0 (-3 to 3), mulx 1 (-3 to 3), muly 1 (-3 to 3), exp 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_depth_blur2(Point p, float w, float power, float range, float blur, float radius,
                           float x0, float y0, float mulx, float muly, float exp_p) {
  vec2 from = p.xy - vec2(x0, y0);
  float out_by = length(vec2(from.x / mulx, from.y / muly)) - radius;
  float at = 2.0 * power * unit(), edge = floor(at);
  float filled = sqrt(unit());
  if (out_by <= 0.0) return w * p.xy;
  vec2 corner = direction(kPi / power), inner = range * corner - vec2(1.0, 0.0);
  vec2 star = vec2(1.0, 0.0) + (at - edge) * inner;  // along an edge, from a tip
  float turn = kTwoPi / power * floor(0.5 * edge) - 0.5 * kPi;
  star = rotate(vec2(star.x, fmodOf(edge, 2.0) == 1.0 ? star.y : -star.y), turn);
  return w * (p.xy + 0.1 * blur * filled * powOf(out_by, exp_p) * star);
}
