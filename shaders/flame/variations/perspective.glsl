// SPDX-License-Identifier: BSD-3-Clause
// perspective: The plane tilted, seen from a distance.
// Beside JWildfire: differs where all parameters are 0, as flam3 does
// Number 30
// Parameters: angle 0 (-2 to 2), dist 0 (-4 to 4)
// Packs: dist, sin(angle * kPi / 2), dist * cos(angle * kPi / 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_perspective(Point p, float w, float dist, float sinAngle, float distCosAngle) {
  float t = 1 / (dist - p.xy.y * sinAngle);
  return w * t * vec2(dist * p.xy.x, distCosAngle * p.xy.y);
}
