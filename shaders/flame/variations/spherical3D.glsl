// SPDX-License-Identifier: BSD-3-Clause
// spherical3D: spherical in space.
// Number 101: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_spherical3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float k = w / (x * x + y * y + z * z + 1e-10);
  return k * vec3(x, y, z);
}
