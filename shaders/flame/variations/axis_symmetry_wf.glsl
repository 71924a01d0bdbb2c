// SPDX-License-Identifier: BSD-3-Clause
// axis_symmetry_wf: Half of the points mirrored at an axis.
// Number 220
// Parameters: axis 0 (0 to 2), centre_x 0.25 (-3 to 3), centre_y 0.5 (-3 to 3),
//   centre_z 0.5 (-3 to 3), rotation 30 (-180 to 180)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_axis_symmetry_wf(Point p, float w, float axis, float centre_x, float centre_y, float
        centre_z, float rotation) {
  float x = p.xy.x, y = p.xy.y;
  float away = 0.5 * w, a = rotation * kTwoPi / 180.0 * 0.5;
  bool first = unit() < 0.5;
  float tx = x, ty = y;
  if (axis == 0.0) tx = centre_x + (first ? 1.0 : -1.0) * (x - centre_x + away);
  if (axis == 1.0) ty = centre_y + (first ? 1.0 : -1.0) * (y - centre_y + away);
  vec2 d = direction(a);
  float sn = first ? d.y : -d.y;
  float dx = tx - centre_x, dy = ty - centre_y;
  return vec2(centre_x + dx * d.x + dy * sn, centre_y + dy * d.x - dx * sn);
}
