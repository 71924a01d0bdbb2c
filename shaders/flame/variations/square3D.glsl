// SPDX-License-Identifier: BSD-3-Clause
// square3D: A cube of dust.
// Number 117: makes z, adds
#include "shaders/flame/chaos/point.glsl"

vec3 variation_square3D(Point p, float w) {
  float a = unit() - 0.5;
  float b = unit() - 0.5;
  float c = unit() - 0.5;
  return w * vec3(a, b, c);
}
