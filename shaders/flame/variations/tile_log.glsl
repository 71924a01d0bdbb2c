// SPDX-License-Identifier: BSD-3-Clause
// tile_log: Copies to both sides, fewer and fewer.
// Number 203
// Parameters: spread 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tile_log(Point p, float w, float spread) {
  float x = p.xy.x, y = p.xy.y;
  float side = unit() < 0.5 ? spread : -spread;
  float u = unit();
  return w * vec2(x + floor(side * logOf(max(u, 1e-9)) + 0.5), y);
}
