// SPDX-License-Identifier: BSD-3-Clause
// rays1: Rays of a tangent.
// Number 179: assigns
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rays1(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float t = x * x + y * y, a = sqrt(t);
  float k = w * t * (cosineWide(a) / sineWide(a) + w * 4.0 / (kPi * kPi));
  return vec2(k / x, k / y);
}
