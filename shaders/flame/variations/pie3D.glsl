// SPDX-License-Identifier: BSD-3-Clause
// pie3D: Slices of dust, with height.
// Number 118: makes z, adds
// Parameters: slices 6 (1 to 20), rotation 0 (-3.15 to 3.15), thickness 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_pie3D(Point p, float w, float slices, float rotation, float thickness) {
  float slice = trunc(unit() * slices + 0.5);
  float a = rotation + kTwoPi * (slice + unit() * thickness) / slices;
  float radius = w * unit();
  return vec3(radius * direction(a), radius * sine(radius));
}
