// SPDX-License-Identifier: BSD-3-Clause
// sym_ng15: Symmetry of the plane: thirds and their mirrors, a quarter turned, two places.
// Number 301
// Parameters: radius 0 (-3 to 3), stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng15(Point p, float w, float radius, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float away = abs(radius) * 0.70710678;
  return w * isometryPair(vec2(px + away, py + away), 3.0, true, 2.25, stepx, stepy);
}
