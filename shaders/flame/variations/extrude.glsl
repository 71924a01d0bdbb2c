// SPDX-License-Identifier: BSD-3-Clause
// extrude: A wall of dust, with its top.
// Number 318: makes z
// Parameters: root_face 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_extrude(Point p, float w, float root_face) {
  bool top = unit() < root_face;
  float height = unit();
  return vec3(0.0, 0.0, top ? max(w, 0.0) : w * height);
}
