// SPDX-License-Identifier: BSD-3-Clause
// lazysusan: Turns the inside of a disc around (x, -y), moves the outside away.
// Number 65
// Parameters: spin 0 (-pi to pi), space 0 (-2 to 2), twist 0 (-3 to 3), x 0 (-2 to 2),
//   y 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lazysusan(Point p, float w, float spin, float space, float twist, float x, float y) {
  vec2 d = p.xy + vec2(-x, y);
  float r = length(d);
  vec2 q = r < w ? w * rotate(d, spin + twist * (w - r)) : w * (1 + space / r) * d;
  return q + vec2(x, -y);
}
