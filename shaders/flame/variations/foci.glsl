// SPDX-License-Identifier: BSD-3-Clause
// foci: (sinh x, sin y) / (cosh x - cos y), by half arguments.
// Number 64
#include "shaders/flame/chaos/point.glsl"

vec2 variation_foci(Point p, float w) {
  vec2 h = sinhCoshSettled(0.5 * p.xy.x), s = sinCos(0.5 * p.xy.y);
  return badBeyond(p.xy.x, 709.78) + w / (h.x * h.x + s.x * s.x) * vec2(h.x * h.y, s.x * s.y);
}
