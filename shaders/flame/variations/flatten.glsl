// SPDX-License-Identifier: BSD-3-Clause
// flatten: Puts the point into the plane z = 0, after all others.
// Beside JWildfire: pre_flatten does nothing there
// Number 100: passes z, after the others
#include "shaders/flame/chaos/point.glsl"

vec3 variation_flatten(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return vec3(x, y, 0.0);
}
