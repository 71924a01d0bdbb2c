// SPDX-License-Identifier: BSD-3-Clause
// inflateZ_1: Lifts by the distance.
// Number 119: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_inflateZ_1(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return vec3(0.0, 0.0, w * (sine(angleOf(y, x)) - 2.0 * y));
}
