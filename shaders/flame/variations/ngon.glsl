// SPDX-License-Identifier: BSD-3-Clause
// ngon: A polygon as circles would be, its corners drawn out.
// Number 38
// Parameters: sides 5 (-12 to 12), power 3 (-4 to 4), circle 1 (-2 to 2), corners 2 (-4 to 4)
// Packs: kTwoPi / sides, power / 2, circle, corners
#include "shaders/flame/chaos/point.glsl"

vec2 variation_ngon(Point p, float w, float sector, float halfPower, float circle, float corners) {
  float s = p.phi - sector * floor(p.phi / sector);
  s = s > 0.5 * sector ? s - sector : s;
  float outline = corners * (1 / (cosine(s) + kEps) - 1) + circle;
  return w * outline / (powOf(p.r2, halfPower) + kEps) * p.xy;
}
