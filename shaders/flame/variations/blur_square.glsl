// SPDX-License-Identifier: BSD-3-Clause
// blur_square: A filled square, wherever the point was.
// Beside JWildfire: not compared
// Number 400
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_square(Point p, float w) {
  float x = signedUnit();
  return w * vec2(x, signedUnit());
}
