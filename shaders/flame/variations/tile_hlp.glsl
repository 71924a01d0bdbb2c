// SPDX-License-Identifier: BSD-3-Clause
// tile_hlp: Cells that pass into their neighbors.
// Number 204
// Parameters: width 1 (0.1 to 4)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tile_hlp(Point p, float w, float width) {
  float x = p.xy.x, y = p.xy.y;
  float t = x / width;
  float a = cosineWide((t > 0.0 ? t - trunc(t) : t + trunc(t)) * kPi);
  float u = unit();
  float jump = a < u * 2.0 - 1.0 ? (x > 0.0 ? -width * w : width * w) : 0.0;
  return vec2(x * w + jump, w * y);
}
