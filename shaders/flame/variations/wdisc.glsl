// SPDX-License-Identifier: BSD-3-Clause
// wdisc: disc, one half mirrored.
// Number 157
#include "shaders/flame/chaos/point.glsl"

vec2 variation_wdisc(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float a = kPi / (sqrt(x * x + y * y) + 1.0), radius = angleOf(y, x) / kPi;
  return w * radius * direction(radius > 0.0 ? kPi - a : a);
}
