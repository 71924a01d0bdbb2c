// SPDX-License-Identifier: BSD-3-Clause
// tanh: (sinh 2x, sin 2y) / (cos 2y + cosh 2x), by single arguments.
// Number 92
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tanh(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCoshSettled(p.xy.x);
  return badBeyond(p.xy.x, 355.24) + w / (s.y * s.y + h.x * h.x) * vec2(h.x * h.y, s.x * s.y);
}
