// SPDX-License-Identifier: BSD-3-Clause
// whorl: Turns more and more towards the circle of radius w.
// Number 80
// Parameters: inside 0 (-3 to 3), outside 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_whorl(Point p, float w, float inside, float outside) {
  return w * rotate(p.xy, (p.r < w ? inside : outside) / (w - p.r));
}
