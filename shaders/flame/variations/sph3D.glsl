// SPDX-License-Identifier: BSD-3-Clause
// sph3D: spherical in space, with a factor per axis.
// Number 269: reads z, passes z
// Parameters: x 0.75 (-3 to 3), y 1 (-3 to 3), z 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_sph3D(Point p, float w, float x_p, float y_p, float z_p) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float a = x_p * x, b = y_p * y, c = x_p * z;
  float r = w / (a * a + b * b + c * c);
  return r * vec3(x, y, z);
}
