// SPDX-License-Identifier: BSD-3-Clause
// circleblur: A disc of even density.
// Number 207: adds
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circleblur(Point p, float w) {
  float radius = w * sqrt(unit());
  return radius * direction(unit() * kTwoPi);
}
