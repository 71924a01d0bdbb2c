// SPDX-License-Identifier: BSD-3-Clause
// butterfly3D: butterfly with a fold.
// Number 116: makes z, reads z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_butterfly3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float y2 = y * 2.0;
  float radius = w * 1.30294004 * sqrt(abs(y * x) / (1e-10 + x * x + y2 * y2));
  return radius * vec3(x, y2, 0.25 * abs(y2) * sqrt(x * x + y * y));
}
