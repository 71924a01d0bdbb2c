// SPDX-License-Identifier: BSD-3-Clause
// bwraps: Bubbles in the cells of a grid.
// Beside JWildfire: not compared
// Number 199
// Parameters: cellsize 1 (-3 to 3), space 0 (-2 to 2), gain 1 (-3 to 3),
//   inner_twist 0 (-3.15 to 3.15), outer_twist 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/squares.glsl"

vec2 variation_bwraps(Point p, float w, float cellsize, float space, float gain, float inner_twist,
                      float outer_twist) {
  if (abs(cellsize) < 1e-10) return w * p.xy;
  float radius = 0.5 * (cellsize / (1.0 + space * space));
  float grown = gain * gain / (radius + 1e-6) + 1e-6;
  return w * bubbleWrapped(p.xy, cellsize, radius, grown, inner_twist, outer_twist);
}
