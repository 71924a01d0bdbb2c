// SPDX-License-Identifier: BSD-3-Clause
// sech: 2 (cos y cosh x, -sin y sinh x) / (cos 2y + cosh 2x), by single arguments.
// Number 93
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sech(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCoshSettled(p.xy.x);
  return badBeyond(p.xy.x, 710.47) + w / (s.y * s.y + h.x * h.x) * vec2(s.y * h.y, -s.x * h.x);
}
