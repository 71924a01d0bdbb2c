// SPDX-License-Identifier: BSD-3-Clause
// sym_ng13: Symmetry of the plane: thirds, mirrored, two places.
// Number 299
// Parameters: radius 0 (-3 to 3), stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng13(Point p, float w, float radius, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(6.0), side = drawn < 2.5 ? -0.5 : 0.5,
        away = abs(radius) * 0.70710678;
  return w *
         (isometryTurned(vec2(px + away, py + away), drawn, 3.0, true) + side * vec2(stepx, stepy));
}
