// SPDX-License-Identifier: BSD-3-Clause
// gaussian_blur: A soft spot, whatever the point.
// Number 35: adds
#include "shaders/flame/chaos/point.glsl"

vec2 variation_gaussian_blur(Point p, float w) {
  float angle = kTwoPi * unit(), radius = w * gauss4();
  return radius * direction(angle);
}
