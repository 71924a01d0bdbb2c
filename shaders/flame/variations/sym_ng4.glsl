// SPDX-License-Identifier: BSD-3-Clause
// sym_ng4: Symmetry of the plane: mirrors and half turns, four places.
// Number 290
// Parameters: sepx 0 (-3 to 3), sepy 0 (-3 to 3), stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng4(Point p, float w, float sepx, float sepy, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(4.0);
  float u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0;
  float v = drawn == 1.0 || drawn == 2.0 ? -1.0 : 1.0;
  float side = drawn < 1.5 ? -0.5 : 0.5;
  float atx = drawn == 0.0 ? -2.0 : drawn == 3.0 ? 2.0 : 0.0;
  float aty = drawn == 0.0 ? -1.5 : drawn == 2.0 ? 0.5 : -0.5;
  return w * vec2(u * (px - 0.5 * sepx) + atx + side * stepx,
                  v * (py + 0.5 * sepy) + aty + side * stepy);
}
