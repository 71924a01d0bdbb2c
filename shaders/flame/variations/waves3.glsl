// SPDX-License-Identifier: BSD-3-Clause
// waves3: Waves whose height waves.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves3(Point p, float w, float scalex, float scaley, float freqx, float freqy, float
        sx_freq, float sy_freq) {
  float x = p.xy.x, y = p.xy.y;
  float hx = 0.5 * scalex * (1.0 + sineWide(y * sx_freq)), hy = 0.5 * scaley * (1.0 + sineWide(x *
      sy_freq));
  return w * vec2(x + sineWide(y * freqx) * hx, y + sineWide(x * freqy) * hy);
}
