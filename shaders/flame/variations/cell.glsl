// SPDX-License-Identifier: BSD-3-Clause
// cell: Cells move to twice their index, negative ones to the odd places between.
// Number 58
// Parameters: size 1 (-3 to 3)
// Packs: size, 1 / size
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cell(Point p, float w, float size, float inverseSize) {
  vec2 index = floor(p.xy * inverseSize), d = p.xy - index * size;
  vec2 shift = mix(-(2.0 * index + 1.0), 2.0 * index, greaterThanEqual(index, vec2(0)));
  vec2 q = d + shift * size;
  return w * vec2(q.x, -q.y);
}
