// SPDX-License-Identifier: BSD-3-Clause
// funnel: Towards the middle, with poles.
// Number 243
// Parameters: effect 8 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_funnel(Point p, float w, float effect) {
  float x = p.xy.x, y = p.xy.y;
  vec2 grown = vec2(exp(min(2.0 * x, 40.0)), exp(min(2.0 * y, 40.0)));
  return w * vec2((1.0 - 2.0 / (grown.x + 1.0)) * (1.0 / cosine(x) + effect * kPi),
                  (1.0 - 2.0 / (grown.y + 1.0)) * (1.0 / cosine(y) + effect * kPi));
}
