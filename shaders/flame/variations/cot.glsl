// SPDX-License-Identifier: BSD-3-Clause
// cot: (sin 2x, -sinh 2y) / (cosh 2y - cos 2x), by single arguments.
// Number 89
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cot(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCoshSettled(p.xy.y);
  return badBeyond(p.xy.y, 355.24) + w / (s.x * s.x + h.x * h.x) * vec2(s.x * s.y, -h.x * h.y);
}
