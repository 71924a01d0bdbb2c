// SPDX-License-Identifier: BSD-3-Clause
// glynnSim3: Two rings, the rest inverted by chance.
// Number 410
// Parameters: radius 1 (0.1 to 3), thickness 0.1 (0 to 1), thickness2 0.1 (0 to 1),
//   contrast 0.5 (0 to 1), pow 1.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_glynnSim3(Point p, float w, float radius, float thickness, float thickness2,
                         float contrast, float pow_p) {
  float outer = radius + thickness, inner = radius * radius / outer, alpha = abs(radius / p.r);
  float chance = unit();
  vec2 turned = direction(kTwoPi * unit());
  if (p.r < outer) return w * (chance < outer / (outer + inner) ? outer : inner) * turned;
  bool keeps = chance > contrast * powOf(alpha, abs(pow_p));
  return w * (keeps ? 1.0 : alpha * alpha) * p.xy;
}
