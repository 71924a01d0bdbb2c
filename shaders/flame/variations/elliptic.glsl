// SPDX-License-Identifier: BSD-3-Clause
// elliptic: Elliptic coordinates, whose m >= 1 is the long half axis.
// Number 62
#include "shaders/flame/chaos/point.glsl"

vec2 variation_elliptic(Point p, float w) {
  vec2 excess = ellipseExcess(p.xy);
  float m = 1 + excess.x;
  float a = angleOf(p.xy.x, sqrt(excess.y * (m + abs(p.xy.x))));  // asin(x / m)
  float l = log(m + sqrt(excess.x));
  return w * 2 / kPi * vec2(a, p.xy.y > 0 ? l : -l);
}
