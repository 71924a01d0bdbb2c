// SPDX-License-Identifier: BSD-3-Clause
// triangle: A triangle of dust.
// Number 268: makes z, adds, assigns
// Parameters: x1 -0.2 (-3 to 3), y1 -0.1 (-3 to 3), z1 0 (-3 to 3), x2 0.2 (-3 to 3),
//   y2 -0.1 (-3 to 3), z2 0 (-3 to 3), x3 0.2 (-3 to 3), y3 0.1 (-3 to 3), z3 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_triangle(Point p, float w, float x1, float y1, float z1, float x2, float y2, float
    z2, float x3, float y3, float z3) {
  float root = sqrt(unit());
  float share = unit();
  float a = 1.0 - root, b = root * (1.0 - share), c = share * root;
  return w * (a * vec3(x1, y1, z1) + b * vec3(x2, y2, z2) + c * vec3(x3, y3, z3));
}
