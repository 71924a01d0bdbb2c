// SPDX-License-Identifier: BSD-3-Clause
// zscale: Adds to z alone: its own part.
// Number 111: passes z, z alone
#include "shaders/flame/chaos/point.glsl"

vec3 variation_zscale(Point p, float w) {
  float z = p.z;
  return vec3(0.0, 0.0, w * z);
}
