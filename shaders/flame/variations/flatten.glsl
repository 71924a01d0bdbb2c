// SPDX-License-Identifier: BSD-3-Clause
// flatten: Puts the point into the plane z = 0, after all others.
// Number 100: passes z, after the others
#include "shaders/flame/chaos/point.glsl"

vec3 variation_flatten(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  if (inOrder() && acting() < 0) return vec3(x, y, p.z);  // pre_flatten of JWildfire does nothing
  if (inOrder() && acting() > 0) return vec3(x, y, p.z * (1.0 - min(abs(w), 1.0)));
  return vec3(x, y, 0.0);
}
