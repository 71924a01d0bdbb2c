// SPDX-License-Identifier: BSD-3-Clause
// gumowski_mira: The map of Gumowski and Mira: an orbit of its own.
// Number 375: orbits, assigns
// Parameters: random 1 (0 to 10000), step 0.001 (0 to 1), a 0.000001 (0 to 0.01), b 0.05 (0 to 1)
#include "shaders/flame/chaos/java_random.glsl"
#include "shaders/flame/chaos/point.glsl"

float miraCurve(float x, float m) {
  float xx = x * x;
  return m * x + 2.0 * (1.0 - m) * xx / (1.0 + xx);
}

vec2 variation_gumowski_mira(Point p, float w, float random, float step, float a, float b) {
  // JWildfire takes `a` from the seed, one higher in the copy of the flame that it draws.
  float seed = trunc(clamp(random, 0.0, 10000000.0)) + 1.0;
  float m = -0.08 + (seed > 1.0 ? 0.002 : 0.0005) + step;
  uvec2 first = javaNext(javaSeed(seed));
  a = 1e-6 + (1e-6 - 1e-8) * narrow(javaUnit(first, javaNext(first)));
  vec2 at = orbitOr(vec2(5.0, 5.0));
  float x = at.y + a * (1.0 - b * at.y * at.y) * at.y + miraCurve(at.x, m);
  vec2 to = vec2(x, -at.x + miraCurve(x, m));
  if (inOrder() && (isBad(to.x) || isBad(to.y))) to = vec2(kNotANumber, kNotANumber);  // for good
  setOrbit(to, w);
  return w * to;
}
