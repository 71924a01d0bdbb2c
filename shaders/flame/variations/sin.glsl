// SPDX-License-Identifier: BSD-3-Clause
// sin: The complex sine.
// Number 84
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sin(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCosh(p.xy.y);
  return w * vec2(s.x * h.y, s.y * h.x);
}
