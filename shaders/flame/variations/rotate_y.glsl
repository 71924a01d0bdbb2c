// SPDX-License-Identifier: BSD-3-Clause
// rotate_y: Turns about the y axis, by the weight in quarters.
// Number 121: makes z, reads z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_rotate_y(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  vec2 d = direction(w * 0.5 * kPi);
  return vec3(d.x * x - d.y * z, y, d.y * x + d.x * z);
}
