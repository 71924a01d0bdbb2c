// SPDX-License-Identifier: BSD-3-Clause
// sym_ng6: Symmetry of the plane: a mirror along rows.
// Number 292
// Parameters: sepy 0.1 (-3 to 3), stepx 1 (-3 to 3), stepy 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng6(Point p, float w, float sepy, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(4.0);
  float v = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0, side = drawn < 1.5 ? -0.5 : 0.5;
  return w * (vec2(px, v * (py + 0.5 * sepy)) + side * vec2(stepx, stepy));
}
