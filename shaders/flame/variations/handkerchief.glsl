// SPDX-License-Identifier: BSD-3-Clause
// handkerchief: r (sin(theta + r), cos(theta - r)), by the sums of angles.
// Number 6
#include "shaders/flame/chaos/point.glsl"

vec2 variation_handkerchief(Point p, float w) {
  float s = sine(p.r), c = cosine(p.r);
  return w * vec2(p.xy.x * c + p.xy.y * s, p.xy.y * c + p.xy.x * s);
}
