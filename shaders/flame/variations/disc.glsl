// SPDX-License-Identifier: BSD-3-Clause
// disc: Angle and radius change places.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc(Point p, float w) {
  float angle = kPi * p.r;
  return w * p.theta / kPi * vec2(sine(angle), cosine(angle));
}
