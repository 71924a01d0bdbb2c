// SPDX-License-Identifier: BSD-3-Clause
// htree_js: A tree of ever smaller letters H.
// Number 336
// Parameters: level 2 (1 to 10), size 2 (0.1 to 5), show_lines 1 (0 to 1),
//   line_thickness 0.5 (0 to 20), show_points 0 (0 to 1), point_thickness 3 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_htree_js(Point p, float w, float level, float size, float show_lines,
                        float line_thickness, float show_points, float point_thickness) {
  float level_drawn = pieceLevel(4.0, clamp(nearestOf(level), 1.0, 10.0)), half_size = 0.5 * size;
  vec2 at = vec2(0.0, 0.0);
  for (int i = 0; i < 10; ++i) {
    if (float(i) >= level_drawn) break;
    float corner = pieceOf(4.0);
    at += half_size * vec2(corner < 1.5 ? -1.0 : 1.0, corner == 0.0 || corner == 2.0 ? -1.0 : 1.0);
    half_size *= 0.5;
  }
  float bar = pieceOf(3.0), side = bar == 0.0 ? -1.0 : 1.0;
  vec2 from = bar > 1.5 ? vec2(-half_size, 0.0) : vec2(side * half_size, -half_size);
  vec2 to = bar > 1.5 ? vec2(half_size, 0.0) : vec2(side * half_size, half_size);
  return w *
         pieceDrawn(at + from, at + to, show_lines, line_thickness, show_points, point_thickness);
}
