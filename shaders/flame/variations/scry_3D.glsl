// SPDX-License-Identifier: BSD-3-Clause
// scry_3D: scry in space.
// Number 129: makes z, reads z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_scry_3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float t = x * x + y * y + z * z;
  float k = 1.0 / (sqrt(t) * (t + 1.0 / (w + 1e-10)));
  return k * vec3(x, y, z != 0.0 ? z : angleOf(y, x));
}
