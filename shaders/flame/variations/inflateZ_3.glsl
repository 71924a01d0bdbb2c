// SPDX-License-Identifier: BSD-3-Clause
// inflateZ_3: Adds to z alone: a fading wave.
// Number 127: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_inflateZ_3(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(y, x);
  return vec3(0.0, 0.0, w * 0.2 * (kPi - a) * cosineWide(3.0 * a + (y - x)));
}
