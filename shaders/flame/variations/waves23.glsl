// SPDX-License-Identifier: BSD-3-Clause
// waves23: Waves of straight lines.
// Number 197
// Parameters: scalex 0.05 (-2 to 2), scaley 0.05 (-2 to 2), freqx 7 (-30 to 30),
//   freqy 13 (-30 to 30)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves23(Point p, float w, float scalex, float scaley, float freqx, float freqy) {
  float x = p.xy.x, y = p.xy.y;
  float mx = y * freqx / kTwoPi, my = x * freqy / kTwoPi;
  float fx = mx - floor(mx), fy = my - floor(my);
  return w * vec2(x + (fx > 0.5 ? 0.5 - fx : fx) * scalex, y + (fy > 0.5 ? 0.5 - fy : fy) * scaley);
}
