// SPDX-License-Identifier: BSD-3-Clause
// crackle: Dust in irregular cells, which lie elsewhere than in other programs.
// Number 267: adds, may drop z
// Parameters: cellsize 1 (0.05 to 3), power 0.2 (-1 to 2), distort 0 (0 to 2), scale 1 (0 to 2),
//   z 0 (-3 to 3)
#include "shaders/flame/chaos/cells.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_crackle(Point p, float w, float cellsize, float power, float distort, float scale,
    float z_p) {
  dropZ();
  if (cellsize == 0.0) return vec2(0.0, 0.0);
  float s = max(abs(0.5 * cellsize), 1e-6);
  float far = unit();
  far = 0.5 * (far + unit());
  far += 0.25 * (unit() - 0.5);
  vec2 d = direction(kTwoPi * unit()), u = far * vec2(d.y, d.x);
  vec2 cell = cellAround(vec2(floor(u.x / s), floor(u.y / s)), u, s, distort, z_p);
  vec2 middle = cellMiddle(cell, s, distort, z_p);
  float edge = cellEdge(cell, u, s, distort, z_p);
  edge = abs(edge) < 1e-20 ? 1e-20 : edge;
  return w * (middle + powOf(abs(edge), power) * scale / edge * (u - middle));
}
