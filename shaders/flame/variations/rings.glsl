// SPDX-License-Identifier: BSD-3-Clause
// rings: Cuts the plane into rings of width 2k. JWildfire leaves the weight out.
// Number 21
// Packs: ringWidth(coefs.c)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rings(Point p, float w, float k) {
  float radius = fmodOf(p.r + k, 2 * k) - k + p.r * (1 - k);
  return (inOrder() ? 1.0 : w) * radius * vec2(p.cosTheta, p.sinTheta);
}
