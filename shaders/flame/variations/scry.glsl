// SPDX-License-Identifier: BSD-3-Clause
// scry: A lens that turns inside out.
// Number 72
// Packs: 1 / (w + kEps)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_scry(Point p, float w, float inverseWeight) {
  return 1 / (p.r * (p.r2 + inverseWeight)) * p.xy;
}
