// SPDX-License-Identifier: BSD-3-Clause
// wedge: Cuts wedges out and closes the gaps.
// Number 77
// Parameters: angle 0 (-pi to pi), hole 0 (-2 to 2), count 1 (0 to 12), swirl 0 (-2 to 2)
// Packs: angle, hole, count, swirl, 1 - angle * count / kTwoPi
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/wedge_angle.glsl"

vec2 variation_wedge(Point p, float w, float angle, float hole, float count, float swirl,
                     float shrink) {
  float a = wedgeAngle(p.phi + swirl * p.r, angle, count, shrink);
  return w * (p.r + hole) * direction(a);
}
