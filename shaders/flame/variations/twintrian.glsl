// SPDX-License-Identifier: BSD-3-Clause
// twintrian: A logarithm of the sine; x stands in both.
// Number 47
#include "shaders/flame/chaos/point.glsl"

vec2 variation_twintrian(Point p, float w) {
  float radius = unit() * w * p.r, s = sine(radius);
  float d = 0.434294482 * logOf(s * s) + cosine(radius);
  d = isBad(d) ? -30.0 : d;
  return w * p.xy.x * vec2(d, d - kPi * s);
}
