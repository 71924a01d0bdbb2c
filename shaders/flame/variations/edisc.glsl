// SPDX-License-Identifier: BSD-3-Clause
// edisc: A disc from elliptic coordinates, whose m >= 1 is the long half axis.
// Number 61
#include "shaders/flame/chaos/point.glsl"

vec2 variation_edisc(Point p, float w) {
  vec2 excess = ellipseExcess(p.xy);
  float m = 1 + excess.x;
  float angle = log(m + sqrt(excess.x));
  float h = -angleOf(sqrt(excess.y * (m + abs(p.xy.x))), p.xy.x);  // -acos(x / m)
  vec2 s = sinCos(angle), hyperbolic = sinhCosh(h);
  return w / 11.57034632 * vec2(hyperbolic.y * s.y, hyperbolic.x * (p.xy.y > 0 ? -s.x : s.x));
}
