// SPDX-License-Identifier: BSD-3-Clause
// pTransform: Radius and angle, moved.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_pTransform(Point p, float w, float rotate, float power, float move, float split,
                          float use_log) {
  float px = p.xy.x, py = p.xy.y;
  float r = sqrt(px * px + py * py);
  bool logs = nearestOf(use_log) != 0.0;
  float rho = (logs ? logOf(r) : r) / nearestOf(power) + move + (px >= 0.0 ? split : -split);
  return w * (logs ? exp(rho) : rho) * direction(angleOf(py, px) + rotate);
}
