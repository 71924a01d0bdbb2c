// SPDX-License-Identifier: BSD-3-Clause
// linearT: A power of each coordinate.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_linearT(Point p, float w, float powX, float powY) {
  float px = p.xy.x, py = p.xy.y;
  return w * vec2((px > 0.0 ? 1.0 : -1.0) * powOf(abs(px), powX),
                  (py > 0.0 ? 1.0 : -1.0) * powOf(abs(py), powY));
}
