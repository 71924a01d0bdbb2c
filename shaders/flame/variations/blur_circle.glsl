// SPDX-License-Identifier: BSD-3-Clause
// blur_circle: A disc made of squares.
// Number 213: adds
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/squares.glsl"

vec2 variation_blur_circle(Point p, float w) {
  float u = 2.0 * unit() - 1.0;
  float v = 2.0 * unit() - 1.0;
  return w * squareSide(vec2(u, v)) * squareDirection(vec2(u, v));
}
