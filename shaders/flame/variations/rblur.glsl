// SPDX-License-Identifier: BSD-3-Clause
// rblur: Blurs outside of a circle.
// Number 222
// Parameters: strength 1 (0 to 3), offset 1 (0 to 3), center_x 0 (-3 to 3), center_y 1 (-3 to 3)
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
