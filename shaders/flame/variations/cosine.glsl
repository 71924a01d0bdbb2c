// SPDX-License-Identifier: BSD-3-Clause
// cosine: The cosine of pi x + i y.
// Number 20
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cosine(Point p, float w) {
  vec2 s = sinCos(kPi * p.xy.x), h = sinhCosh(p.xy.y);
  return w * vec2(s.y * h.y, -s.x * h.x);
}
