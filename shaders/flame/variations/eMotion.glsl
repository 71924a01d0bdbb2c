// SPDX-License-Identifier: BSD-3-Clause
// eMotion: Moves along the ellipses around two foci.
// Number 342
// Parameters: move 0 (-3 to 3), rotate 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/complex.glsl"

vec2 variation_eMotion(Point p, float w, float move, float rotate) {
  float px = p.xy.x, py = p.xy.y;
  vec2 e = elliptic(px, py);
  float nu = py < 0.0 ? -e.y : e.y;
  float mu = nu < 0.0 ? e.x + move : e.x - move;
  bool below = mu <= 0.0;
  nu = (below ? -nu : nu) + rotate;
  mu = below ? -mu : mu;
  return w * vec2(coshOf(mu) * cosine(nu), sinhOf(mu) * sine(nu));
}
