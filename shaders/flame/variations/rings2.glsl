// SPDX-License-Identifier: BSD-3-Clause
// rings2: As rings, their width given. Where an int overflows, flam3 leaves the ring: so does this.
// Number 26
// Parameters: val 0 (-2 to 2)
// Packs: ringWidth(val)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rings2(Point p, float w, float k) {
  if (inOrder()) k += 9.9e-9;  // 1e-8 in JWildfire, too wide for an overflow, not 1e-10
  float radius = p.r - 2 * k * truncatedToInt((p.r + k) / (2 * k)) + p.r * (1 - k);
  return w * radius * vec2(p.sinTheta, p.cosTheta);
}
