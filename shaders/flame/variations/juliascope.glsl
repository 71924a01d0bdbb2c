// SPDX-License-Identifier: BSD-3-Clause
// juliascope: As julian, every other root mirrored.
// Number 33
// Parameters: power 1 (-10 to 10), dist 1 (-3 to 3)
// Packs: abs(power), 1 / power, dist / (2 * power)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_juliascope(Point p, float w, float rootCount, float inversePower, float exponent) {
  float root = trunc(rootCount * unit());
  float phi = fract(0.5 * root) == 0 ? p.phi : -p.phi;
  return w * powOf(p.r2, exponent) * direction((kTwoPi * root + phi) * inversePower);
}
