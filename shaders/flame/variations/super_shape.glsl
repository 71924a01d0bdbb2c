// SPDX-License-Identifier: BSD-3-Clause
// super_shape: The superformula (Gielis 2003), its radius mixed with noise.
// Number 50
// Parameters: rnd 0 (0 to 1), m 0 (0 to 12), n1 1 (-4 to 4), n2 1 (-4 to 4), n3 1 (-4 to 4),
//   holes 0 (-2 to 2)
// Packs: rnd, m / 4, -1 / n1, n2, n3, holes
#include "shaders/flame/chaos/point.glsl"

vec2 variation_super_shape(Point p, float w, float rnd, float quarterM, float exponent, float n2,
                           float n3, float holes) {
  float angle = quarterM * p.phi + 0.25 * kPi;
  float k = powOf(powOf(abs(cosine(angle)), n2) + powOf(abs(sine(angle)), n3), exponent);
  return w * (rnd * unit() + (1 - rnd) * p.r - holes) * k / p.r * p.xy;
}
