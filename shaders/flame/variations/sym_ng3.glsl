// SPDX-License-Identifier: BSD-3-Clause
// sym_ng3: Symmetry of the plane: half a turn.
// Number 289
// Parameters: sepx 0.5 (-3 to 3), sepy 0 (-3 to 3), step 2 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng3(Point p, float w, float sepx, float sepy, float step) {
  float px = p.xy.x, py = p.xy.y;
  float side = isometryDrawn(2.0) < 0.5 ? 1.0 : -1.0;
  return w * side * vec2(px - sepx - 0.5 * step, py - sepy - 0.5 * step);
}
