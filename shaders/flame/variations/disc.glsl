// SPDX-License-Identifier: BSD-3-Clause
// disc: Angle and radius change places.
// Number 8
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc(Point p, float w) {
  float angle = kPi * p.r;
  // An angle that is rounded to half a turn becomes a radius of 1 or more, and that the angle 0, which
  // no point leaves; double precision never rounds so far (sheep 248.23554 went black).
  float theta = clamp(p.theta, -kNearlyPi, kNearlyPi);
  return w * theta / kPi * vec2(sine(angle), cosine(angle));
}
