// SPDX-License-Identifier: BSD-3-Clause
// crop: What lies outside of a rectangle goes to its border.
// Number 218: assigns
// Parameters: left -1 (-3 to 3), right 1 (-3 to 3), top -1 (-3 to 3), bottom 1 (-3 to 3),
//   scatter_area 0 (-1 to 1), zero 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_crop(Point p, float w, float left, float right, float top, float bottom, float
        scatter_area, float zero) {
  float x = p.xy.x, y = p.xy.y;
  float x0 = min(left, right), x1 = max(left, right), y0 = min(top, bottom), y1 = max(top, bottom);
  float dx = (x1 - x0) * 0.5 * scatter_area, dy = (y1 - y0) * 0.5 * scatter_area;
  bool outside = x < x0 || x > x1 || y < y0 || y > y1;
  if (outside && zero != 0.0) return vec2(0.0, 0.0);
  float u = unit();
  float v = unit();
  float cx = x < x0 ? x0 + u * dx : x > x1 ? x1 - u * dx : x;
  float cy = y < y0 ? y0 + v * dy : y > y1 ? y1 - v * dy : y;
  return w * vec2(cx, cy);
}
