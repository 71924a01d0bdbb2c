// SPDX-License-Identifier: BSD-3-Clause
// sym_ng11: Symmetry of the plane: quarter turns and mirrors, two places.
// Number 297
// Parameters: space 0 (-3 to 3), spacex 0 (-3 to 3), spacey 0 (-3 to 3), stepx 1.5 (-3 to 3),
//   stepy 1.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng11(Point p, float w, float space, float spacex, float spacey, float stepx,
                        float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(8.0), turns = floor(0.5 * drawn);
  bool mirrored = drawn - 2.0 * turns > 0.5;
  vec2 v = isometryTurned(vec2(px + space, py + space), turns, 4.0, mirrored);
  float side = mirrored ? -0.5 : 0.5;
  float u = turns == 0.0 || (mirrored ? turns == 1.0 : turns == 3.0) ? 1.0 : -1.0;
  float t = mirrored ? (turns == 1.0 || turns == 2.0 ? 1.0 : -1.0)
                     : (turns == 0.0 || turns == 1.0 ? 1.0 : -1.0);
  return w * (v + vec2(u * spacex + side * stepx, t * spacey + side * stepy));
}
