// SPDX-License-Identifier: BSD-3-Clause
// tanh2_bs: tanh of x + iy with factors.
// Number 228
// Parameters: x1 2 (-5 to 5), x2 2 (-5 to 5), y1 2 (-5 to 5), y2 2 (-5 to 5)
#include "shaders/flame/chaos/complex.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tanh2_bs(Point p, float w, float x1, float x2, float y1, float y2) {
  float x = p.xy.x, y = p.xy.y;
  float den = cosine(y2 * y) + coshOf(x2 * x);
  return w * vec2(sinhOver(x1 * x, x2 * x, den), sine(y1 * y) / den);
}
