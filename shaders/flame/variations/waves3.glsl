// SPDX-License-Identifier: BSD-3-Clause
// waves3: Waves whose height waves.
// Number 191
// Parameters: scalex 0.05 (-2 to 2), scaley 0.05 (-2 to 2), freqx 7 (-30 to 30),
//   freqy 13 (-30 to 30), sx_freq 0 (-10 to 10), sy_freq 2 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves3(Point p, float w, float scalex, float scaley, float freqx, float freqy, float
        sx_freq, float sy_freq) {
  float x = p.xy.x, y = p.xy.y;
  float hx = 0.5 * scalex * (1.0 + sineWide(y * sx_freq)), hy = 0.5 * scaley * (1.0 + sineWide(x *
      sy_freq));
  return w * vec2(x + sineWide(y * freqx) * hx, y + sineWide(x * freqy) * hy);
}
