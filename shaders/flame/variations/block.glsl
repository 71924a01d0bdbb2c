// SPDX-License-Identifier: BSD-3-Clause
// block: Elliptic coordinates in both directions: the plane into a square.
// Beside JWildfire: not compared
// Number 412
#include "shaders/flame/chaos/point.glsl"

vec2 variation_block(Point p, float w) {
  vec2 across = ellipseExcess(p.xy), up = ellipseExcess(vec2(p.xy.y, p.xy.x));
  float x = abs(p.xy.x), y = abs(p.xy.y);
  return w * 2.0 / kPi * vec2(angleOf(p.xy.x, sqrt(across.y * (1.0 + across.x + x))),
                              angleOf(p.xy.y, sqrt(up.y * (1.0 + up.x + y))));
}
