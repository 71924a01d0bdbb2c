// SPDX-License-Identifier: BSD-3-Clause
// escale: Scaled in elliptic coordinates.
// Beside JWildfire: not compared
// Number 237
// Parameters: scale 1 (-3 to 3), angle 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_escale(Point p, float w, float scale, float angle) {
  float x = p.xy.x, y = p.xy.y;
  vec2 e = elliptic(x, y);
  float mu = e.x * scale;
  float nu = fmodOf(fmodOf(scale * ((y < 0.0 ? -e.y : e.y) + kPi + angle), kTwoPi * scale) -
      angle - scale * kPi, kTwoPi);
  nu = nu > kPi ? nu - kTwoPi : nu < -kPi ? nu + kTwoPi : nu;
  return w * vec2(coshOf(mu) * cosine(nu), sinhOf(mu) * sine(nu));
}
