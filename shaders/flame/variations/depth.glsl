// SPDX-License-Identifier: BSD-3-Clause
// depth: Moves points away from the origin, the more the farther they are from the plane.
// Number 423: makes z, reads z, reads the sum
// Parameters: power 1 (0 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_depth(Point p, float w, float power) {
  float k = p.z == 0.0 ? 0.0 : powOf(abs(p.z), power);
  return w * (startOfSum() + k * vec3(p.xy.x, p.xy.y, p.z));
}
