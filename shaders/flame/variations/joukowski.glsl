// SPDX-License-Identifier: BSD-3-Clause
// joukowski: Joukowski's map of an airfoil.
// Number 240
// Parameters: p1 2.5 (-4 to 4), p2 0 (-3 to 3), inverse 0 (0 to 1)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_joukowski(Point p, float w, float p1, float p2, float inverse_p) {
  float x = p.xy.x, y = p.xy.y;
  if (inverse_p < 0.5) {
    float a = x - p2, b = y + 0.2, k = p1 * p1 / (a * a + b * b);
    return w * vec2(a + a * k, b - b * k);
  }
  vec2 root = complexRoot(0.25 * complexSquare(x, y) - vec2(p1 * p1, 0.0));
  vec2 one = 0.5 * vec2(x, y) + root - vec2(-p2, 0.2), other = 0.5 * vec2(x, y) - root -
      vec2(-p2, 0.2);
  return w * (one.x * one.x + one.y * one.y > other.x * other.x + other.y * other.y ? one : other);
}
