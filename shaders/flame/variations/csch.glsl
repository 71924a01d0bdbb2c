// SPDX-License-Identifier: BSD-3-Clause
// csch: 2 (sinh x cos y, -cosh x sin y) / (cosh 2x - cos 2y), by single arguments.
// Number 94
#include "shaders/flame/chaos/point.glsl"

vec2 variation_csch(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCoshSettled(p.xy.x);
  return badBeyond(p.xy.x, 710.47) + w / (s.x * s.x + h.x * h.x) * vec2(h.x * s.y, -h.y * s.x);
}
