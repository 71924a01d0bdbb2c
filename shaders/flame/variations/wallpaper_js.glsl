// SPDX-License-Identifier: BSD-3-Clause
// wallpaper_js: A step of an orbit like wallpaper, or none.
// Number 313: reads the sum
// Parameters: a 1.156 (-5 to 5), b -0.28 (-5 to 5), c 21.288 (-30 to 30)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_wallpaper_js(Point p, float w, float a, float b, float c) {
  float px = p.xy.x, py = p.xy.y;
  if (unit() >= 0.5) return vec2(px, py) - sumBefore();
  float sign = px >= 1.0 ? 1.0 : px <= -1.0 ? -1.0 : 0.0;
  return vec2(py - sign * sqrt(abs(b * px - c)), a - px);
}
