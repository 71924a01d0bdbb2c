// SPDX-License-Identifier: BSD-3-Clause
// pie3D: Slices of dust, with height.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_pie3D(Point p, float w, float slices, float rotation, float thickness) {
  float slice = trunc(unit() * slices + 0.5);
  float a = rotation + kTwoPi * (slice + unit() * thickness) / slices;
  float radius = w * unit();
  return vec3(radius * direction(a), radius * sine(radius));
}
