// SPDX-License-Identifier: BSD-3-Clause
// blur3D: A ball of dust.
// Number 114: makes z, adds
#include "shaders/flame/chaos/point.glsl"

vec3 variation_blur3D(Point p, float w) {
  float turn = unit() * kTwoPi;
  float radius = w * gauss4();
  float tilt = unit() * kPi;
  vec2 a = direction(turn), b = direction(tilt);
  return radius * vec3(b.y * a.x, b.y * a.y, b.x);
}
