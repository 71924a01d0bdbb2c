// SPDX-License-Identifier: BSD-3-Clause
// sym_ng10: Symmetry of the plane: quarter turns.
// Number 296
// Parameters: space 0 (-3 to 3), spacex 0 (-3 to 3), spacey 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng10(Point p, float w, float space, float spacex, float spacey) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(4.0), side = drawn < 1.5 ? -0.5 : 0.5;
  float turns = drawn == 0.0 ? 2.0 : drawn == 1.0 ? 3.0 : drawn == 2.0 ? 1.0 : 0.0;
  return w * (isometryTurned(vec2(px + space, py + space), turns, 4.0, false) +
              side * vec2(spacex, spacey));
}
