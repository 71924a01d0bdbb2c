// SPDX-License-Identifier: BSD-3-Clause
// tanh_spiral: A double spiral, wherever the point was.
// Beside JWildfire: not compared
// Number 398
// Parameters: a 4 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tanh_spiral(Point p, float w, float a) {
  float t = kTwoPi * (unit() - 0.5);
  vec2 grown = sinhCosh(t), turned = vec2(sineWide(a * t), cosineWide(a * t));
  return w / (turned.y + grown.y) * vec2(grown.x, turned.x);
}
