// SPDX-License-Identifier: BSD-3-Clause
// pre_blur: Contributes nothing to the sum: it moves the point before all other variations.
// Number 67
#include "shaders/flame/chaos/point.glsl"

/// What is added to the point after the pre-affine and before the variations (spot of weight w).
vec2 preBlurOffset(float w) {
  float radius = w * gauss4();
  return radius * direction(kTwoPi * unit());
}

vec2 variation_pre_blur(Point p, float w) { return vec2(0); }
