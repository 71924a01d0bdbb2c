// SPDX-License-Identifier: BSD-3-Clause
// wedge_sph: As wedge, of the inverted plane.
// Number 79
// Parameters: angle 0 (-pi to pi), hole 0 (-2 to 2), count 1 (0 to 12), swirl 0 (-2 to 2)
// Packs: angle, hole, count, swirl, 1 - angle * count / kTwoPi
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/wedge_angle.glsl"

vec2 variation_wedge_sph(Point p, float w, float angle, float hole, float count, float swirl,
                         float shrink) {
  float r = 1 / (p.r + kEps);
  float a = wedgeAngle(p.phi + swirl * r, angle, count, shrink);
  return w * (r + hole) * direction(a);
}
