// SPDX-License-Identifier: BSD-3-Clause
// elliptic_mirrored: Elliptic coordinates on one side or the other, by chance: JWildfire's elliptic.
// Beside JWildfire: not compared
// Number 397
#include "shaders/flame/chaos/point.glsl"

vec2 variation_elliptic_mirrored(Point p, float w) {
  vec2 excess = ellipseExcess(p.xy);
  float m = 1 + excess.x;
  float a = angleOf(p.xy.x, sqrt(excess.y * (m + abs(p.xy.x))));  // asin(x / m)
  float l = log(m + sqrt(excess.x));
  return w * 2 / kPi * vec2(a, randomBit() == 1 ? l : -l);
}
