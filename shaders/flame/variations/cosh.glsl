// SPDX-License-Identifier: BSD-3-Clause
// cosh: The complex hyperbolic cosine.
// Number 91
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cosh(Point p, float w) {
  vec2 s = sinCos(p.xy.y), h = sinhCosh(p.xy.x);
  return w * vec2(h.y * s.y, h.x * s.x);
}
