// SPDX-License-Identifier: BSD-3-Clause
// blade3D: blade, turned into space.
// Number 108: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_blade3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float radius = unit() * w * sqrt(x * x + y * y);
  float s = sineWide(radius), c = cosineWide(radius);
  return w * vec3(x * (c + s), x * (c - s), y * (s - c));
}
