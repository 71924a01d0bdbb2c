// SPDX-License-Identifier: BSD-3-Clause
// blur: A disc, whatever the point.
// Number 34: adds
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur(Point p, float w) {
  float angle = kTwoPi * unit(), radius = w * unit();
  return radius * direction(angle);
}
