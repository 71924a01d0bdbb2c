// SPDX-License-Identifier: BSD-3-Clause
// curl3D: curl in space.
// Number 106: makes z, reads z
// Parameters: cx 0 (-2 to 2), cy 0.05 (-2 to 2), cz 0.05 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_curl3D(Point p, float w, float cx, float cy, float cz) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float side = 1.0;
  if (inOrder() && acting() > 0) {  // post_curl3D of JWildfire: the weight is of the parameters
    cx *= w;
    cy *= w;
    cz *= w;
    w = 1.0;
    side = -1.0;
  }
  float s = x * x + y * y + z * z;
  float k = w / (s * (cx * cx + cy * cy + cz * cz) + 2.0 * (cx * x - cy * y + cz * z) + 1.0);
  return k * vec3(x + cx * s, y - side * cy * s, z + cz * s);
}
