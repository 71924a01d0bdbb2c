// SPDX-License-Identifier: BSD-3-Clause
// linear3D: linear, with z.
// Number 99: passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_linear3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  return w * vec3(x, y, z);
}
