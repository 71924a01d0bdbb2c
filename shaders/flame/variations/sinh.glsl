// SPDX-License-Identifier: BSD-3-Clause
// sinh: The complex hyperbolic sine.
// Number 90
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sinh(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCosh(p.xy.x);
  return w * vec2(h.x * s.y, h.y * s.x);
}
