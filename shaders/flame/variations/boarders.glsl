// SPDX-License-Identifier: BSD-3-Clause
// boarders: Three of four points move to the border of their cell.
// Number 56
#include "shaders/flame/chaos/point.glsl"

vec2 variation_boarders(Point p, float w) {
  vec2 cell = roundEven(p.xy), d = p.xy - cell;
  vec2 q = cell + 0.5 * d;
  if (unit() < 0.75) {
    vec2 side = vec2(d.x >= 0 ? 0.25 : -0.25, d.y >= 0 ? 0.25 : -0.25);
    q += abs(d.x) >= abs(d.y) ? vec2(side.x, side.x * d.y / d.x) : vec2(side.y * d.x / d.y, side.y);
  }
  return w * q;
}
