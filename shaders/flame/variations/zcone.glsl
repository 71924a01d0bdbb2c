// SPDX-License-Identifier: BSD-3-Clause
// zcone: Adds to z alone: the distance from the axis.
// Number 113: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_zcone(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return vec3(0.0, 0.0, w * sqrt(x * x + y * y));
}
