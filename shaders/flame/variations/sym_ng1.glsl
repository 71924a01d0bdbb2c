// SPDX-License-Identifier: BSD-3-Clause
// sym_ng1: Symmetry of the plane: a shift.
// Number 287
// Parameters: stepx 0.5 (-3 to 3), stepy 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng1(Point p, float w, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float side = isometryDrawn(2.0) < 0.5 ? -0.5 : 0.5;
  return w * (vec2(px, py) + side * vec2(stepx, stepy));
}
