// SPDX-License-Identifier: BSD-3-Clause
// cylinder_apo: A cylinder standing on the plane.
// Number 115: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_cylinder_apo(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec3(sineWide(x), y, cosineWide(x));
}
