// SPDX-License-Identifier: BSD-3-Clause
// spligon: Sectors, moved apart.
// Number 189
// Parameters: sides 3 (2 to 12), r 1 (-3 to 3), i 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_spligon(Point p, float w, float sides, float r, float i) {
  float x = p.xy.x, y = p.xy.y;
  float t = kTwoPi / sides * floor(angleOf(y, x) * sides / kTwoPi) - 0.5 * kPi * i / sides;
  return w * (vec2(x, y) + r * direction(t));
}
