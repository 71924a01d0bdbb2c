// SPDX-License-Identifier: BSD-3-Clause
// rings2: As rings, their width given. Where an int overflows, flam3 leaves the ring: so does this.
// Beside JWildfire: differs where val is 0, as flam3 does
// Number 26
// Parameters: val 0 (-2 to 2)
// Packs: ringWidth(val)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rings2(Point p, float w, float k) {
  float radius = p.r - 2 * k * truncatedToInt((p.r + k) / (2 * k)) + p.r * (1 - k);
  return w * radius * vec2(p.sinTheta, p.cosTheta);
}
