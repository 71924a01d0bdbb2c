// SPDX-License-Identifier: BSD-3-Clause
// separation: Moves the coordinates away from 0.
// Number 73
// Parameters: x 0 (-2 to 2), xinside 0 (-2 to 2), y 0 (-2 to 2), yinside 0 (-2 to 2)
// Packs: x * x, xinside, y * y, yinside
#include "shaders/flame/chaos/point.glsl"

vec2 variation_separation(Point p, float w, float x2, float xinside, float y2, float yinside) {
  vec2 far = sqrt(p.xy * p.xy + vec2(x2, y2)), inside = p.xy * vec2(xinside, yinside);
  return w * mix(-(far + inside), far - inside, greaterThan(p.xy, vec2(0)));
}
