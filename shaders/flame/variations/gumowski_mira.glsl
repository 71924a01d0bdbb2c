// SPDX-License-Identifier: BSD-3-Clause
// gumowski_mira: The map of Gumowski and Mira: an orbit of its own.
// Beside JWildfire: differs after some steps of a chaotic orbit
// Number 375: orbits, assigns
// Parameters: random 1 (0 to 10000), step 0.001 (0 to 1), a 0.000001 (0 to 0.01), b 0.05 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

float miraCurve(float x, float m) { return m * x + 2.0 * (1.0 - m) * x * x / (1.0 + x * x); }

vec2 variation_gumowski_mira(Point p, float w, float random, float step, float a, float b) {
  float m = (nearestOf(random) > 1.0 ? -0.078 : -0.0795) + step;
  vec2 at = orbitOr(vec2(5.0, 5.0));
  float x = at.y + a * (1.0 - b * at.y * at.y) * at.y + miraCurve(at.x, m);
  vec2 to = vec2(x, miraCurve(x, m) - at.x);
  setOrbit(to, w);
  return w * to;
}
