// SPDX-License-Identifier: BSD-3-Clause
// popcorn2: As popcorn, with parameters.
// Number 71
// Parameters: x 0 (-2 to 2), y 0 (-2 to 2), c 0 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_popcorn2(Point p, float w, float x, float y, float c) {
  return w * (p.xy + vec2(x * sineWide(tangent(p.xy.y * c)), y * sineWide(tangent(p.xy.x * c))));
}
