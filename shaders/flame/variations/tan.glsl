// SPDX-License-Identifier: BSD-3-Clause
// tan: (sin 2x, sinh 2y) / (cos 2x + cosh 2y), by single arguments.
// Number 86
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tan(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCoshSettled(p.xy.y);
  return badBeyond(p.xy.y, 355.24) + w / (s.y * s.y + h.x * h.x) * vec2(s.x * s.y, h.x * h.y);
}
