// SPDX-License-Identifier: BSD-3-Clause
// spherical3D_wf: spherical in space by a power, turned at the origin on request.
// Number 128: reads z, passes z
// Parameters: invert 0 (0 to 1), exponent 2 (-4 to 4)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_spherical3D_wf(Point p, float w, float invert, float exponent) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float k = w / powOf(x * x + y * y + z * z + 1e-10, 0.5 * exponent);
  return (invert == 0.0 ? k : -k) * vec3(x, y, z);
}
