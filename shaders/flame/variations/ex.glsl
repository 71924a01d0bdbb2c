// SPDX-License-Identifier: BSD-3-Clause
// ex: Cubes of n = (sin(theta + r), cos(theta - r)), by the sums of angles.
// Number 12
#include "shaders/flame/chaos/point.glsl"

vec2 variation_ex(Point p, float w) {
  float s = sine(p.r), c = cosine(p.r);
  vec2 n = vec2(p.xy.x * c + p.xy.y * s, p.xy.y * c + p.xy.x * s) / max(p.r, 1e-30);
  vec2 m = p.r * n * n * n;
  return w * vec2(m.x + m.y, m.x - m.y);
}
