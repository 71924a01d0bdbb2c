// SPDX-License-Identifier: BSD-3-Clause
// bwraps7: Bubbles in the cells of a grid, whose gain does not depend on its size.
// Number 200
// Parameters: cellsize 1 (-3 to 3), space 0 (-2 to 2), gain 2 (-3 to 3),
//   inner_twist 0 (-3.15 to 3.15), outer_twist 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bwraps7(Point p, float w, float cellsize, float space, float gain, float
        inner_twist, float outer_twist) {
  float x = p.xy.x, y = p.xy.y;
  if (abs(cellsize) < 1e-10) return w * vec2(x, y);
  float radius = 0.5 * (cellsize / (1.0 + space * space)), g2 = gain * gain + 1e-6;
  float largest = g2 * radius;
  largest = largest > 2.0 ? 1.0 : largest / (largest * largest / 4.0 + 1.0);
  float cx = (floor(x / cellsize) + 0.5) * cellsize, cy = (floor(y / cellsize) + 0.5) * cellsize;
  float lx = x - cx, ly = y - cy;
  if (lx * lx + ly * ly > radius * radius) return w * vec2(x, y);
  lx *= g2;
  ly *= g2;
  float k = radius / largest / ((lx * lx + ly * ly) / 4.0 + 1.0);
  lx *= k;
  ly *= k;
  float away = (lx * lx + ly * ly) / (radius * radius);
  vec2 d = direction(inner_twist * (1.0 - away) + outer_twist * away);
  return w * vec2(cx + d.x * lx + d.y * ly, cy - d.y * lx + d.x * ly);
}
