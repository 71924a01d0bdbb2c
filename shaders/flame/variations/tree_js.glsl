// SPDX-License-Identifier: BSD-3-Clause
// tree_js: A tree with three branches at each end.
// Number 338
// Parameters: level 2 (1 to 10), show_lines 1 (0 to 1), line_thickness 0.5 (0 to 20),
//   show_points 0 (0 to 1), point_thickness 3 (0 to 20), bend_angle 15 (-90 to 90),
//   branch_angle 37 (-90 to 90), branch_ratio 0.65 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_tree_js(Point p, float w, float level, float show_lines, float line_thickness,
                       float show_points, float point_thickness, float bend_angle,
                       float branch_angle, float branch_ratio) {
  float level_drawn = pieceLevel(3.0, clamp(nearestOf(level), 1.0, 10.0) + 1.0);
  float angle = 0.5 * kPi, size = 2.0;
  vec2 at = vec2(0.0, 0.0);
  for (int i = 0; i < 11; ++i) {
    if (float(i) >= level_drawn) break;
    float branch = pieceOf(3.0);
    at += size * direction(angle);
    angle += kPi / 180.0 *
             (bend_angle + (branch == 0.0   ? -1.0
                            : branch == 1.0 ? 1.0
                                            : 0.0) *
                               branch_angle);
    size *= branch == 2.0 ? 1.0 - branch_ratio : branch_ratio;
  }
  return 2.0 * w *
         pieceDrawn(at, at + size * direction(angle), nearestOf(show_lines), line_thickness,
                    nearestOf(show_points), point_thickness);
}
