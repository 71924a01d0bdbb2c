// SPDX-License-Identifier: BSD-3-Clause
// pie: Slices of a disc, whatever the point.
// Number 37
// Parameters: slices 6 (1 to 24), rotation 0 (-pi to pi), thickness 0.5 (0 to 1)
// Packs: slices, rotation, thickness, kTwoPi / slices
#include "shaders/flame/chaos/point.glsl"

vec2 variation_pie(Point p, float w, float slices, float rotation, float thickness,
                   float sliceAngle) {
  float slice = trunc(unit() * slices + 0.5);
  float angle = rotation + (slice + unit() * thickness) * sliceAngle;
  float radius = w * unit();
  return radius * direction(angle);
}
