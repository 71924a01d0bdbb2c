// SPDX-License-Identifier: BSD-3-Clause
// mcarpet: A carpet of bubbles.
// Number 185
// Parameters: x 1 (-3 to 3), y 0.75 (-3 to 3), twist 0.5 (-3 to 3), tilt -0.25 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_mcarpet(Point p, float w, float x, float y, float twist, float tilt) {
  float px = p.xy.x, py = p.xy.y;
  float k = w / (0.25 * (px * px + py * py) + 1.0);
  return vec2(px * k * x + w * (1.0 - twist * px * px + py), py * k * y + w * tilt * px);
}
