// SPDX-License-Identifier: BSD-3-Clause
// bubble2: bubble with factors.
// Number 103: makes z, reads z
// Parameters: x 1 (-3 to 3), y 1 (-3 to 3), z 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_bubble2(Point p, float w, float x, float y, float z) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  float k = w / (0.25 * (px * px + py * py + pz * pz) + 1.0);
  float lift = pz >= 0.0 ? pz + z : pz - z;
  return vec3(k * px * x, k * py * y, w * lift + k * pz * z);
}
