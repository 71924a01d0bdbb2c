// SPDX-License-Identifier: BSD-3-Clause
// csc: 2 (sin x cosh y, -cos x sinh y) / (cosh 2y - cos 2x), by single arguments.
// Number 88
#include "shaders/flame/chaos/point.glsl"

vec2 variation_csc(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCoshSettled(p.xy.y);
  return badBeyond(p.xy.y, 710.47) + w / (s.x * s.x + h.x * h.x) * vec2(s.x * h.y, -s.y * h.x);
}
