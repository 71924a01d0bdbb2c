// SPDX-License-Identifier: BSD-3-Clause
// cpow: The complex power c + i d, one of its branches.
// Number 59
// Parameters: r 1 (-3 to 3), i 0 (-3 to 3), power 1 (-10 to 10)
// Packs: r / power, i / power, power, kTwoPi / power
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cpow(Point p, float w, float c, float d, float power, float turn) {
  float logR = 0.5 * logOf(p.r2);
  float angle = c * p.phi + d * logR + turn * floor(power * unit());
  return w * exp(c * logR - d * p.phi) * direction(angle);
}
