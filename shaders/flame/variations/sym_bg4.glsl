// SPDX-License-Identifier: BSD-3-Clause
// sym_bg4: Symmetry of a band: a mirror across it.
// Number 283
// Parameters: stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_bg4(Point p, float w, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float side = isometryDrawn(2.0) < 0.5 ? 1.0 : -1.0;
  return w * vec2(side * (px - 1.0 - 0.5 * stepx), py - side * (0.5 + 0.5 * stepy));
}
