// SPDX-License-Identifier: BSD-3-Clause
// bwraps2: Bubbles in cells, twisted.
// Number 382
// Parameters: cellsize 1 (0 to 3), space 0 (0 to 3), gain 2 (0 to 5),
//   inner_twist 0 (-3.15 to 3.15), outer_twist 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/squares.glsl"

vec2 variation_bwraps2(Point p, float w, float cellsize, float space, float gain, float inner_twist,
                       float outer_twist) {
  if (abs(cellsize) < 1e-8) return w * p.xy;
  float radius = 0.5 * cellsize / (1.0 + space * space), grown = gain * gain / cellsize + 1e-6;
  return w * bubbleWrapped(p.xy, cellsize, radius, grown, inner_twist, outer_twist);
}
