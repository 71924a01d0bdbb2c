// SPDX-License-Identifier: BSD-3-Clause
// mcarpet: A carpet of bubbles.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_mcarpet(Point p, float w, float x, float y, float twist, float tilt) {
  float px = p.xy.x, py = p.xy.y;
  float k = w / (0.25 * (px * px + py * py) + 1.0);
  return vec2(px * k * x + w * (1.0 - twist * px * px + py), py * k * y + w * tilt * px);
}
