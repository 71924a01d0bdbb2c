// SPDX-License-Identifier: BSD-3-Clause
// point_symmetry_wf: Copies turned about a point.
// Number 221
// Parameters: centre_x 0.25 (-3 to 3), centre_y 0.5 (-3 to 3), order 3 (1 to 20)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_point_symmetry_wf(Point p, float w, float centre_x, float centre_y, float order) {
  float x = p.xy.x, y = p.xy.y;
  // Below 0 (of post symmetry, genome/operations.cpp): as many copies, the first of them twice.
  float turn = trunc((order < 0.0 ? 1.0 - order : order) * unit());
  vec2 d = direction(turn * kTwoPi / abs(order));
  float dx = (x - centre_x) * w, dy = (y - centre_y) * w;
  return vec2(centre_x + dx * d.x + dy * d.y, centre_y + dy * d.x - dx * d.y);
}
