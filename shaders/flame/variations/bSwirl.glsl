// SPDX-License-Identifier: BSD-3-Clause
// bSwirl: Swirls in bipolar coordinates, about both poles.
// Number 411
// Parameters: in 0 (-3 to 3), out 0 (-3 to 3)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bSwirl(Point p, float w, float in_p, float out_p) {
  float t = 2.0 * p.xy.x / (p.r2 + 1.0), t2 = t * t;
  float tau = t2 < 0.01 ? t * (1.0 + t2 * (1.0 / 3.0 + t2 * (0.2 + t2 / 7.0)))
                        : 0.5 * logOf((1.0 + t) / (1.0 - t));
  float sigma =
      angleOf(2.0 * p.xy.y, p.r2 - 1.0) + tau * out_p + in_p / (tau == 0.0 ? kEps : tau);
  return w / coshLessCos(tau, sigma) * vec2(sinhOf(tau), sineWide(sigma));
}
