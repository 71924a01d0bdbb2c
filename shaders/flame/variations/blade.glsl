// SPDX-License-Identifier: BSD-3-Clause
// blade: Blades; x stands in both, which is flam3's way.
// Number 45
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blade(Point p, float w) {
  float radius = unit() * w * p.r;
  float s = sine(radius), c = cosine(radius);
  return w * p.xy.x * vec2(c + s, c - s);
}
