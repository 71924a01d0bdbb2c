// SPDX-License-Identifier: BSD-3-Clause
// julian: One of the |power| roots of the point.
// Number 32
// Parameters: power 1 (-10 to 10), dist 1 (-3 to 3)
// Packs: abs(power), 1 / power, dist / (2 * power)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_julian(Point p, float w, float rootCount, float inversePower, float exponent) {
  float root = trunc(rootCount * unit());
  return w * powOf(p.r2, exponent) * direction((p.phi + kTwoPi * root) * inversePower);
}
