// SPDX-License-Identifier: BSD-3-Clause
// coth: (sinh 2x, sin 2y) / (cosh 2x - cos 2y), by single arguments.
// Number 95
#include "shaders/flame/chaos/point.glsl"

vec2 variation_coth(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCoshSettled(p.xy.x);
  return badBeyond(p.xy.x, 355.24) + w / (s.x * s.x + h.x * h.x) * vec2(h.x * h.y, s.x * s.y);
}
