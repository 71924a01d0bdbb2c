// SPDX-License-Identifier: BSD-3-Clause
// blur_circle: A disc made of squares.
// Number 213: adds
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_circle(Point p, float w) {
  float u = 2.0 * unit() - 1.0;
  float v = 2.0 * unit() - 1.0;
  float au = abs(u), av = abs(v);
  float side = max(au, av);
  float perimeter = au >= av ? (u >= av ? au + v : 5.0 * au - v) : (v >= au ? 3.0 * av - u : 7.0 *
      av + u);
  return w * side * direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}
