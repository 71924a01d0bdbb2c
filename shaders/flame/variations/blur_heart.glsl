// SPDX-License-Identifier: BSD-3-Clause
// blur_heart: A heart of two ellipses.
// Beside JWildfire: not compared
// Number 379
// Parameters: p 0.5 (0.1 to 3), a -0.6 (-2 to 2), b 0.7 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_heart(Point p, float w, float power, float a, float b) {
  float x = 2.0 * unit() - 1.0, y = 2.0 * unit() - 1.0, side = y < 0.0 ? -1.0 : 1.0;
  float edge = a * powOf(abs(x), power) + side * b * sqrt(abs(1.0 - x * x)) - a;
  edge /= max(abs(a) + abs(b), 1e-10);
  return w * vec2(x, side > 0.0 ? min(y, edge) : max(y, edge));
}
