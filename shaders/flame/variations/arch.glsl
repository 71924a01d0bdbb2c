// SPDX-License-Identifier: BSD-3-Clause
// arch: An arc, whatever the point.
// Number 41
#include "shaders/flame/chaos/point.glsl"

vec2 variation_arch(Point p, float w) {
  float angle = kPi * w * unit(), s = sine(angle);
  return w * vec2(s, s * s / cosine(angle));
}
