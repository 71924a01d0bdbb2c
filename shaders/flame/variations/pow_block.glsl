// SPDX-License-Identifier: BSD-3-Clause
// pow_block: A complex power that is a fraction, and each of its roots by chance.
// Number 415
// Parameters: numerator 3 (-10 to 10), denominator 2 (-10 to 10), root 1 (-5 to 5),
//   correctn 1 (-3 to 3), correctd 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_pow_block(Point p, float w, float numerator, float denominator, float root,
                         float correctn, float correctd) {
  float branch = floor(unit() * denominator);
  float turn = (p.phi + root * kTwoPi * branch) * numerator / denominator;
  float power = 0.5 * numerator * abs(correctd) / (denominator * correctn);
  return w * powOf(p.r2, power) * vec2(cosineWide(turn), sineWide(turn));
}
