// SPDX-License-Identifier: BSD-3-Clause
// circlesplit: The outer plane, moved away.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circlesplit(Point p, float w, float cs_radius, float cs_split) {
  float x = p.xy.x, y = p.xy.y;
  float radius = sqrt(x * x + y * y);
  return w * (radius < cs_radius - cs_split ? vec2(x, y) : (radius + cs_split) *
      direction(angleOf(y, x)));
}
