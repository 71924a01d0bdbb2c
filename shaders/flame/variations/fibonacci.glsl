// SPDX-License-Identifier: BSD-3-Clause
// fibonacci: The numbers of Fibonacci, between and beside which lie those of complex numbers.
// Beside JWildfire: not compared
// Number 407
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fibonacci(Point p, float w) {
  const float grows = 0.481211825;  // the logarithm of the golden ratio
  float x = p.xy.x, y = p.xy.y;
  vec2 first = exp(grows * x) * vec2(cosineWide(grows * y), sineWide(grows * y));
  float turn = -(kPi * x + grows * y);
  vec2 second = exp((kPi * y - grows * x)) * vec2(cosineWide(turn), sineWide(turn));
  return w * 0.447213595 * (first - second);
}
