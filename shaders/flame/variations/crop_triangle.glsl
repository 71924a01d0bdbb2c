// SPDX-License-Identifier: BSD-3-Clause
// crop_triangle: Hides what lies outside of a triangle.
// Beside JWildfire: compares areas with a tolerance, exactly there; as post_crop_triangle differs
//   in z where variations keep z
// Number 367: makes z, hides
// Parameters: x1 0 (-2 to 2), y1 0.5 (-2 to 2), x2 0.5 (-2 to 2), y2 0.5 (-2 to 2), x3 0 (-2 to 2),
//   y3 -0.5 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_crop_triangle(Point p, float w, float x1, float y1, float x2, float y2, float x3,
                             float y3) {
  float px = p.xy.x, py = p.xy.y;
  float a = (px - x1) * (y2 - y1) - (py - y1) * (x2 - x1);
  float b = (px - x2) * (y3 - y2) - (py - y2) * (x3 - x2);
  float c = (px - x3) * (y1 - y3) - (py - y3) * (x1 - x3);
  bool inside = (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
  setHidden(!inside, w);
  return w * vec3(px, py, 0.0);
}
