// SPDX-License-Identifier: BSD-3-Clause
// sym_ng8: Symmetry of the plane: mirrors in two directions, two places.
// Number 294
// Parameters: sepx 0 (-3 to 3), sepy 0 (-3 to 3), skewx 0 (-3 to 3), skewy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng8(Point p, float w, float sepx, float sepy, float skewx, float skewy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(8.0);
  float side = drawn < 3.5 ? -0.5 : 0.5, which = drawn < 3.5 ? drawn : drawn - 4.0;
  float u = which == 1.0 || which == 2.0 ? -1.0 : 1.0;
  float v = which == 0.0 || which == 2.0 ? -1.0 : 1.0;
  return w * (vec2(u * (px - 1.0 - 0.5 * sepx), v * (py + 0.5 * sepy)) + side * vec2(skewx, skewy));
}
