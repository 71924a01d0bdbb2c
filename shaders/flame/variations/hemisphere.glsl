// SPDX-License-Identifier: BSD-3-Clause
// hemisphere: A half sphere over the plane.
// Number 102: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_hemisphere(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float k = w / sqrt(x * x + y * y + 1.0);
  return k * vec3(x, y, 1.0);
}
