// SPDX-License-Identifier: BSD-3-Clause
// eclipse: A disc, moved aside within its rim.
// Number 178
// Parameters: shift 0.1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_eclipse(Point p, float w, float shift) {
  float x = p.xy.x, y = p.xy.y;
  float rim = w * w - y * y;
  float c = sqrt(max(rim, 0.0));
  float tx = x + shift * w;
  float qx = abs(y) <= w && abs(x) <= c ? (abs(tx) >= c ? -x : tx) : x;
  return w * vec2(qx, y);
}
