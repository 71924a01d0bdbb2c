// SPDX-License-Identifier: BSD-3-Clause
// circlesplit: The outer plane, moved away.
// Number 184
// Parameters: cs_radius 1 (-3 to 3), cs_split 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circlesplit(Point p, float w, float cs_radius, float cs_split) {
  float x = p.xy.x, y = p.xy.y;
  float radius = sqrt(x * x + y * y);
  return w * (radius < cs_radius - cs_split ? vec2(x, y) : (radius + cs_split) *
      direction(angleOf(y, x)));
}
