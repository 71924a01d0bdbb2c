// SPDX-License-Identifier: BSD-3-Clause
// line: A line in space.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_line(Point p, float w, float delta, float phi) {
  vec2 d = direction(delta * kPi), tilt = direction(phi * kPi);
  float far = w * unit();
  return far * vec3(d.x * tilt.x, d.y * tilt.x, tilt.y);
}
