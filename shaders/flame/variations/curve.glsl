// SPDX-License-Identifier: BSD-3-Clause
// curve: A bump along each axis.
// Number 60
// Parameters: xamp 0 (-2 to 2), yamp 0 (-2 to 2), xlength 1 (0 to 4), ylength 1 (0 to 4)
// Packs: xamp, yamp, inverseSquare(xlength), inverseSquare(ylength)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_curve(Point p, float w, float xamp, float yamp, float inverseXlength2,
                     float inverseYlength2) {
  vec2 bump = exp(-vec2(p.xy.y * p.xy.y, p.xy.x * p.xy.x) * vec2(inverseXlength2, inverseYlength2));
  return w * (p.xy + vec2(xamp, yamp) * bump);
}
