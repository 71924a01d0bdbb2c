// SPDX-License-Identifier: BSD-3-Clause
// rotate_x: Turns about the x axis, by the weight in radians.
// Number 120: makes z, reads z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_rotate_x(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  vec2 d = direction(w * 0.5 * kPi);
  return vec3(x, d.x * y + d.y * z, d.x * z - d.y * y);
}
