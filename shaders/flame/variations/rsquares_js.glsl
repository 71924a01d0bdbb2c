// SPDX-License-Identifier: BSD-3-Clause
// rsquares_js: Squares on the corners of squares.
// Number 337
// Parameters: level 2 (1 to 9), show_lines 1 (0 to 1), line_thickness 0.5 (0 to 20),
//   show_points 0 (0 to 1), point_thickness 3 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_rsquares_js(Point p, float w, float level, float show_lines, float line_thickness,
                           float show_points, float point_thickness) {
  float level_drawn = pieceLevel(4.0, clamp(nearestOf(level), 1.0, 9.0)), half_size = 0.5;
  vec2 at = vec2(0.5, 0.5);
  for (int i = 0; i < 9; ++i) {
    if (float(i) >= level_drawn) break;
    float corner = pieceOf(4.0);
    at += half_size * vec2(corner < 1.5 ? -1.0 : 1.0, corner == 0.0 || corner == 2.0 ? -1.0 : 1.0);
    half_size /= 2.2;
  }
  float edge = pieceOf(4.0);
  vec2 from = half_size * vec2(edge < 1.5 ? -1.0 : 1.0, edge == 0.0 || edge == 3.0 ? -1.0 : 1.0);
  vec2 to = vec2(from.y, -from.x);
  return w * pieceDrawn(at + from, at + to, nearestOf(show_lines), line_thickness,
                        nearestOf(show_points), point_thickness);
}
