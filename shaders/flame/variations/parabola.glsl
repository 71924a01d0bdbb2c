// SPDX-License-Identifier: BSD-3-Clause
// parabola: Noise between parabolas.
// Number 53
// Parameters: height 0 (-2 to 2), width 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_parabola(Point p, float w, float height, float width) {
  float s = sine(p.r), c = cosine(p.r);
  float x = height * s * s * unit();
  float y = width * c * unit();
  return w * vec2(x, y);
}
