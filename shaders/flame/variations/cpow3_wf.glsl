// SPDX-License-Identifier: BSD-3-Clause
// cpow3_wf: A power with a complex exponent, its branches by chance.
// Number 377
// Parameters: r 1 (-3 to 3), a 0.1 (-3 to 3), divisor 1 (1 to 10), spread 1 (0.1 to 5),
//   discrete_spread 1 (0 to 1), spread2 0 (-1 to 1), offset2 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cpow3_wf(Point p, float w, float radius, float a, float divisor, float spread,
                        float discrete_spread, float spread2, float offset2) {
  float px = p.xy.x, py = p.xy.y;
  float c = radius * cosine(0.5 * kPi * a) / divisor, d = radius * sine(0.5 * kPi * a) / divisor;
  float n = unit() * spread, chance = unit(), wide = unit(), angle = angleOf(py, px);
  n = (discrete_spread >= 1.0 ? trunc(n) : n) + (angle < 0.0 ? 1.0 : 0.0);
  angle += kTwoPi * n;
  if (cosine(0.5 * angle / spread) < 2.0 * chance - 1.0) angle -= kTwoPi * spread;
  float log_r2 = logOf(px * px + py * py);
  float turn = c * angle * 0.5 * d * log_r2 * kTwoPi / divisor * (wide * spread2 + offset2);
  float turns = turn / kTwoPi;
  return w * exp(0.5 * c * log_r2 - d * angle) * direction(kTwoPi * (turns - floor(turns)));
}
