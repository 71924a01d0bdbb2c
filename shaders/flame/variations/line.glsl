// SPDX-License-Identifier: BSD-3-Clause
// line: A line in space.
// Number 135: makes z
// Parameters: delta 0 (-3 to 3), phi 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_line(Point p, float w, float delta, float phi) {
  vec2 d = direction(delta * kPi), tilt = direction(phi * kPi);
  float far = w * unit();
  return far * vec3(d.x * tilt.x, d.y * tilt.x, tilt.y);
}
