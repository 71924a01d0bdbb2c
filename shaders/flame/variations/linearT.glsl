// SPDX-License-Identifier: BSD-3-Clause
// linearT: A power of each coordinate.
// Number 305
// Parameters: powX 1.2 (-3 to 3), powY 0.9 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_linearT(Point p, float w, float powX, float powY) {
  float px = p.xy.x, py = p.xy.y;
  return w * vec2((px > 0.0 ? 1.0 : -1.0) * powOf(abs(px), powX),
                  (py > 0.0 ? 1.0 : -1.0) * powOf(abs(py), powY));
}
