// SPDX-License-Identifier: BSD-3-Clause
// coth_spiral: A double spiral with arms that go to infinity, wherever the point was.
// Beside JWildfire: not compared
// Number 399
// Parameters: a 4 (-10 to 10)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_coth_spiral(Point p, float w, float a) {
  float t = kTwoPi * (unit() - 0.5);
  return w / coshLessCos(t, a * t) * vec2(sinhOf(t), -sineWide(a * t));
}
