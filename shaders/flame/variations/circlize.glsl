// SPDX-License-Identifier: BSD-3-Clause
// circlize: Squares become circles; the middle ring stays.
// Number 154
// Parameters: hole 0.4 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/squares.glsl"

vec2 variation_circlize(Point p, float w, float hole) {
  return (w / (0.25 * kPi) * squareSide(p.xy) + hole) * squareDirection(p.xy);
}
