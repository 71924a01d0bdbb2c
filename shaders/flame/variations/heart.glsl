// SPDX-License-Identifier: BSD-3-Clause
// heart: The angle times the radius.
// Number 7
#include "shaders/flame/chaos/point.glsl"

vec2 variation_heart(Point p, float w) {
  float angle = p.r * p.theta;
  return w * p.r * vec2(sine(angle), -cosine(angle));
}
