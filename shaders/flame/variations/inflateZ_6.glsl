// SPDX-License-Identifier: BSD-3-Clause
// inflateZ_6: A height by the angle and the distance from the diagonal.
// Number 317: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_inflateZ_6(Point p, float w) {
  float px = p.xy.x, py = p.xy.y;
  float angle = angleOf(py, px), lean = 0.5 * sine(angle) * angle * sine(py - px);
  return vec3(0.0, 0.0, w * (1.5 - (0.5 * kPi - angleOf(lean, sqrt((1.0 - lean) * (1.0 + lean))))));
}
