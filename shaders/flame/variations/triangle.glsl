// SPDX-License-Identifier: BSD-3-Clause
// triangle: A triangle of dust.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_triangle(Point p, float w, float x1, float y1, float z1, float x2, float y2, float
    z2, float x3, float y3, float z3) {
  float root = sqrt(unit());
  float share = unit();
  float a = 1.0 - root, b = root * (1.0 - share), c = share * root;
  return w * (a * vec3(x1, y1, z1) + b * vec3(x2, y2, z2) + c * vec3(x3, y3, z3));
}
