// SPDX-License-Identifier: BSD-3-Clause
// cos: The complex cosine.
// Number 85
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cos(Point p, float w) {
  vec2 s = sinCos(p.xy.x), h = sinhCosh(p.xy.y);
  return w * vec2(s.y * h.y, -s.x * h.x);
}
