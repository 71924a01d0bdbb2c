// SPDX-License-Identifier: BSD-3-Clause
// sym_ng14: Symmetry of the plane: thirds and their mirrors, two places.
// Number 300
// Parameters: radius 0 (-3 to 3), stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng14(Point p, float w, float radius, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float away = abs(radius) * 0.70710678;
  return w * isometryPair(vec2(px + away, py + away), 3.0, true, 0.0, stepx, stepy);
}
