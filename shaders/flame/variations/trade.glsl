// SPDX-License-Identifier: BSD-3-Clause
// trade: Two discs change places.
// Number 246
// Parameters: r1 1 (0.1 to 3), d1 1 (-3 to 3), r2 1 (0.1 to 3), d2 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_trade(Point p, float w, float r1, float d1, float r2, float d2) {
  float x = p.xy.x, y = p.xy.y;
  float here = x > 0.0 ? r1 + d1 : -r2 - d2, there = x > 0.0 ? -r2 - d2 : r1 + d1;
  float size = x > 0.0 ? r1 : r2, other = x > 0.0 ? r2 : r1;
  float a = here - x;
  if (sqrt(a * a + y * y) > size) return w * vec2(x, y);
  return w * (other / size * vec2(a, y) + vec2(there, 0.0));
}
