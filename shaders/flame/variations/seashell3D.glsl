// SPDX-License-Identifier: BSD-3-Clause
// seashell3D: A shell.
// Number 348: makes z
// Parameters: final_radius 1 (-3 to 3), height 3.5 (-5 to 5), inner_radius 0.4 (-3 to 3),
//   nSpirals 3 (1 to 10)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_seashell3D(Point p, float w, float final_radius, float height, float inner_radius,
                          float nSpirals) {
  float t = unit(), s = unit();
  float tube = final_radius * (1.0 - t), out_by = 1.0 + cosine(kTwoPi * s);
  vec2 around = (tube * out_by + inner_radius) * direction(kTwoPi * nearestOf(nSpirals) * t);
  return w * vec3(around.x, around.y, height * t + tube * sine(kTwoPi * s));
}
