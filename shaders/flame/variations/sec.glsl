// SPDX-License-Identifier: BSD-3-Clause
// sec: 2 (cos x cosh y, sin x sinh y) / (cos 2x + cosh 2y), by single arguments.
// Number 87
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sec(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCoshSettled(p.xy.y);
  return badBeyond(p.xy.y, 710.47) + w / (s.y * s.y + h.x * h.x) * vec2(s.y * h.y, s.x * h.x);
}
