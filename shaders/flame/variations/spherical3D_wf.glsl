// SPDX-License-Identifier: BSD-3-Clause
// spherical3D_wf: spherical in space by a power, turned at the origin on request.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_spherical3D_wf(Point p, float w, float invert, float exponent) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float k = w / powOf(x * x + y * y + z * z + 1e-10, 0.5 * exponent);
  return (invert == 0.0 ? k : -k) * vec3(x, y, z);
}
