// SPDX-License-Identifier: BSD-3-Clause
// noise: Each coordinate times noise.
// Number 31: adds
#include "shaders/flame/chaos/point.glsl"

vec2 variation_noise(Point p, float w) {
  float angle = kTwoPi * unit(), radius = w * unit();
  return radius * p.xy * direction(angle);
}
