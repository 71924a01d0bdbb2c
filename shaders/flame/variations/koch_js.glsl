// SPDX-License-Identifier: BSD-3-Clause
// koch_js: The curve of Koch.
// Number 332
// Parameters: level 2 (1 to 7), show_lines 1 (0 to 1), line_thickness 0.5 (0 to 20),
//   show_points 0 (0 to 1), point_thickness 3 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_koch_js(Point p, float w, float level, float show_lines, float line_thickness,
                       float show_points, float point_thickness) {
  float levels = clamp(nearestOf(level), 1.0, 7.0), size = 0.5 * powOf(3.0, levels), angle = 0.0;
  vec2 at = vec2(0.0, 0.0);
  for (int i = 0; i < 7; ++i) {
    if (float(i) >= levels) break;
    float piece = pieceOf(4.0);
    size = size / 3.0;
    float before = piece == 3.0 ? 2.0 : piece == 0.0 ? 0.0 : 1.0;
    at += before * size * direction(angle);
    if (piece == 2.0) at += size * direction(angle + kPi / 3.0);
    angle += piece == 1.0 ? kPi / 3.0 : piece == 2.0 ? -kPi / 3.0 : 0.0;
  }
  return w * pieceDrawn(at, at + 0.5 * direction(angle), nearestOf(show_lines), line_thickness,
                        nearestOf(show_points), point_thickness);
}
