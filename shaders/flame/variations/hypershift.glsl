// SPDX-License-Identifier: BSD-3-Clause
// hypershift: A shift of the hyperbolic plane.
// Number 249
// Parameters: shift 2 (-3 to 3), stretch 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hypershift(Point p, float w, float shift, float stretch) {
  float x = p.xy.x, y = p.xy.y;
  float k = 1.0 / (x * x + y * y), a = k * x + shift, b = k * y;
  float s = w * (1.0 - shift * shift) / (a * a + b * b);
  return vec2(s * a + shift, s * b * stretch);
}
