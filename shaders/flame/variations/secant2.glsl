// SPDX-License-Identifier: BSD-3-Clause
// secant2: The secant of the radius, joined at its jumps.
// Number 46
#include "shaders/flame/chaos/point.glsl"

vec2 variation_secant2(Point p, float w) {
  float c = cosine(w * p.r);
  return w * vec2(p.xy.x, 1 / c + (c < 0 ? 1.0 : -1.0));
}
