// SPDX-License-Identifier: BSD-3-Clause
// ejulia: julian in elliptic coordinates.
// Beside JWildfire: not compared
// Number 236
// Parameters: power 2 (-8 to 8)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_ejulia(Point p, float w, float power) {
  float x = p.xy.x, y = p.xy.y;
  float n = nearestOf(power);
  float scale = n < 0.0 ? 1.0 / (x * x + y * y) : 1.0;
  vec2 e = elliptic(x * scale, y * scale);
  float turn = floor(unit() * n);
  float nu = (y < 0.0 ? -e.y : e.y) / n + kTwoPi / n * turn, mu = e.x / n;
  return w * vec2(coshOf(mu) * cosine(nu), sinhOf(mu) * sine(nu));
}
