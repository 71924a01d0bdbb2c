// SPDX-License-Identifier: BSD-3-Clause
// disc2: As disc, along a diagonal, twisted.
// Number 49
// Parameters: rot 0 (-2 to 2), twist 0 (-pi to pi)
// Packs: kPi * rot, (cos(twist) - 1) * twistStretch(twist), sin(twist) * twistStretch(twist)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc2(Point p, float w, float rotPi, float addX, float addY) {
  float t = rotPi * (p.xy.x + p.xy.y);
  return w * p.theta / kPi * vec2(sineWide(t) + addX, cosineWide(t) + addY);
}
