// SPDX-License-Identifier: BSD-3-Clause
// line: A line in space.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_line(Point p, float w, float delta, float phi) {
  float x = p.xy.x, y = p.xy.y;
  vec2 d = direction(delta * kPi), p = direction(phi * kPi);
  float far = w * unit();
  return far * vec3(d.x * p.x, d.y * p.x, p.y);
}
