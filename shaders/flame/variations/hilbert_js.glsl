// SPDX-License-Identifier: BSD-3-Clause
// hilbert_js: The curve of Hilbert.
// Number 335
// Parameters: level 3 (1 to 10), show_lines 1 (0 to 1), line_thickness 0.5 (0 to 20),
//   show_points 0 (0 to 1), point_thickness 3 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

/// Where the curve is after `count` steps within a square of 2^levels.
vec2 hilbertPlace(float count, float levels) {
  vec2 at = vec2(0.0, 0.0);
  float left = count, size = 1.0;
  for (int i = 0; i < 10; ++i) {
    if (float(i) >= levels) break;
    float quarter = left - 4.0 * floor(0.25 * left);
    left = floor(0.25 * left);
    if (quarter == 0.0)
      at = vec2(at.y, at.x);
    else if (quarter == 3.0)
      at = vec2(2.0 * size - 1.0 - at.y, size - 1.0 - at.x);
    else
      at += vec2(quarter == 2.0 ? size : 0.0, size);
    size *= 2.0;
  }
  return at;
}

vec2 variation_hilbert_js(Point p, float w, float level, float show_lines, float line_thickness,
                          float show_points, float point_thickness) {
  float levels = clamp(nearestOf(level), 1.0, 10.0), step = pieceOf(powOf(4.0, levels) - 1.0);
  vec2 from = hilbertPlace(step, levels), to = hilbertPlace(step + 1.0, levels);
  return w * pieceDrawn(from, to, nearestOf(show_lines), line_thickness, nearestOf(show_points),
                        point_thickness);
}
