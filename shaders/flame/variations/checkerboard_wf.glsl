// SPDX-License-Identifier: BSD-3-Clause
// checkerboard_wf: A board of two heights and colors, with sides.
// Number 341: makes z, sets color
// Parameters: position 3 (-5 to 5), size 10 (0 to 20), axis 2 (0 to 2),
//   displ_amount 0.05 (-1 to 1), checker_color1 0.25 (0 to 1), checker_color2 0.75 (0 to 1),
//   side_color 0.4 (0 to 1), checker_size 0.2 (0.01 to 1), with_sides 1 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_checkerboard_wf(Point p, float w, float position, float size, float axis,
                               float displ_amount, float checker_color1, float checker_color2,
                               float side_color, float checker_size, float with_sides) {
  float pick = unit(), across = unit(), u = unit(), v = unit(), high = unit(), line = unit();
  float share = 4.0 * displ_amount / (1.0 + 4.0 * displ_amount);
  float lines = nearestOf(1.0 / checker_size);
  lines -= lines * checker_size >= 1.0 ? 1.0 : 0.0;
  bool side =
      nearestOf(with_sides) != 0.0 && abs(displ_amount) >= 1e-8 && lines > 0.0 && pick < share;
  float at = min(floor(line * (lines + 1.0)), lines) * checker_size;
  if (side && across < 0.5) u = at;
  if (side && across >= 0.5) v = at;
  float number = floor(u / checker_size) + floor(v / checker_size);
  bool light = number - 2.0 * floor(0.5 * number) < 0.5;
  setColor(side ? side_color : light ? checker_color1 : checker_color2, w);
  float z = (side ? displ_amount * high : light ? displ_amount : 0.0) * size + position;
  float x = (u - 0.5) * size, y = (v - 0.5) * size;
  float kind = nearestOf(axis);
  return w * (kind == 0.0 ? vec3(x, y, z) : kind == 1.0 ? vec3(z, x, y) : vec3(y, z, x));
}
