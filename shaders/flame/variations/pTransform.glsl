// SPDX-License-Identifier: BSD-3-Clause
// pTransform: Radius and angle, moved.
// Number 321
// Parameters: rotate 0.3 (-3.15 to 3.15), power 2 (1 to 10), move 0.4 (-3 to 3), split 0 (-3 to 3),
//   use_log 1 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_pTransform(Point p, float w, float rotate, float power, float move, float split,
                          float use_log) {
  float px = p.xy.x, py = p.xy.y;
  float r = sqrt(px * px + py * py);
  bool logs = nearestOf(use_log) != 0.0;
  float rho = (logs ? logOf(r) : r) / nearestOf(power) + move + (px >= 0.0 ? split : -split);
  return w * (logs ? exp(rho) : rho) * direction(angleOf(py, px) + rotate);
}
