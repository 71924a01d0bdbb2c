// SPDX-License-Identifier: BSD-3-Clause
// sym_ng9: Symmetry of the plane: mirrors in two directions.
// Number 295
// Parameters: sepx 0 (-3 to 3), sepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng9(Point p, float w, float sepx, float sepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(4.0);
  float u = drawn == 1.0 || drawn == 2.0 ? -1.0 : 1.0;
  float v = drawn == 0.0 || drawn == 2.0 ? -1.0 : 1.0;
  return w * vec2(u * (px + 0.5 * sepx), v * (py + 0.5 * sepy));
}
