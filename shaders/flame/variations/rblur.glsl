// SPDX-License-Identifier: BSD-3-Clause
// rblur: Blurs outside of a circle.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rblur(Point p, float w, float strength, float offset, float center_x, float
        center_y) {
  float x = p.xy.x, y = p.xy.y;
  float dx = x - center_x, dy = y - center_y;
  float reach = 2.0 * strength * max(0.0, sqrt(dx * dx + dy * dy) - offset);
  float u = unit();
  float v = unit();
  return w * vec2(x + (u - 0.5) * reach, y + (v - 0.5) * reach);
}
