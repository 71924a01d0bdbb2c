// SPDX-License-Identifier: BSD-3-Clause
// spiral: A spiral outside, noise inside.
// Number 9
#include "shaders/flame/chaos/point.glsl"

vec2 variation_spiral(Point p, float w) {
  float r = p.r + kEps;
  return w / r * vec2(p.cosTheta + sine(r), p.sinTheta - cosine(r));
}
