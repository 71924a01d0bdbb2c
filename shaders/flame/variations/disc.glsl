// SPDX-License-Identifier: BSD-3-Clause
// disc: Angle and radius change places.
// Number 8
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc(Point p, float w) {
  float angle = kPi * p.r;
  // An angle that is rounded to half a turn becomes a radius of 1 or more, and that the angle 0, which
  // no point leaves; double precision never rounds so far (sheep 248.23554 went black).
  float theta = clamp(p.theta, -kNearlyPi, kNearlyPi);
  vec2 v = theta / kPi * vec2(sine(angle), cosine(angle));
  // Points left of the axis stay there. Of those on it none comes back, and floats round to it what
  // double precision does not.
  v.x = theta < 0 && abs(v.x) < 1e-25 ? -1e-25 : v.x;
  return w * v;
}
