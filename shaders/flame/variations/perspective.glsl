// SPDX-License-Identifier: BSD-3-Clause
// perspective: The plane tilted, seen from a distance.
// Number 30: may drop z
// Parameters: angle 0 (-2 to 2), dist 0 (-4 to 4)
// Packs: dist, sin(angle * kPi / 2), dist * cos(angle * kPi / 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_perspective(Point p, float w, float dist, float sinAngle, float distCosAngle) {
  float away = dist - p.xy.y * sinAngle, t = 1 / away;
  if (away == 0.0 && inOrder()) {  // nothing there in JWildfire
    dropZ();
    return vec2(0.0, 0.0);
  }
  return w * t * vec2(dist * p.xy.x, distCosAngle * p.xy.y);
}
