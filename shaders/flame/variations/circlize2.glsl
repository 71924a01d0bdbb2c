// SPDX-License-Identifier: BSD-3-Clause
// circlize2: Squares become circles.
// Number 153
// Parameters: hole 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/squares.glsl"

vec2 variation_circlize2(Point p, float w, float hole) {
  return w * (squareSide(p.xy) + hole) * squareDirection(p.xy);
}
