// SPDX-License-Identifier: BSD-3-Clause
// bwraps2: Bubbles in cells, twisted.
// Number 382
// Parameters: cellsize 1 (0 to 3), space 0 (0 to 3), gain 2 (0 to 5),
//   inner_twist 0 (-3.15 to 3.15), outer_twist 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bwraps2(Point p, float w, float cellsize, float space, float gain, float inner_twist,
                       float outer_twist) {
  float px = p.xy.x, py = p.xy.y;
  if (abs(cellsize) < 1e-8) return w * vec2(px, py);
  float radius = 0.5 * cellsize / (1.0 + space * space), gained = gain * gain / cellsize + 1e-6;
  float bubble = gained * radius;
  bubble = bubble > 2.0 ? 1.0 : bubble / (0.25 * bubble * bubble + 1.0);
  float cx = (floor(px / cellsize) + 0.5) * cellsize, cy = (floor(py / cellsize) + 0.5) * cellsize;
  float x = px - cx, y = py - cy;
  if (x * x + y * y > radius * radius) return w * vec2(px, py);
  x *= gained;
  y *= gained;
  float r = radius / bubble / (0.25 * (x * x + y * y) + 1.0);
  x *= r;
  y *= r;
  float share = (x * x + y * y) / (radius * radius);
  vec2 t = direction(inner_twist * (1.0 - share) + outer_twist * share);
  return w * vec2(cx + t.x * x + t.y * y, cy - t.y * x + t.x * y);
}
