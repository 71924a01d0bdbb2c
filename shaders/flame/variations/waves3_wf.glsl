// SPDX-License-Identifier: BSD-3-Clause
// waves3_wf: Squares of waves of sines or cosines, damped.
// Number 193
// Parameters: scalex 0.25 (-2 to 2), scaley 0.5 (-2 to 2), freqx 1.5708 (-10 to 10),
//   freqy 0.7854 (-10 to 10), use_cos_x 1 (0 to 1), use_cos_y 0 (0 to 1), dampx 0 (-2 to 2),
//   dampy 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves3_wf(Point p, float w, float scalex, float scaley, float freqx, float freqy,
        float use_cos_x, float use_cos_y, float dampx, float dampy) {
  float x = p.xy.x, y = p.xy.y;
  float ex = abs(dampx) < 1e-5 ? 1.0 : exp(dampx), ey = abs(dampy) < 1e-5 ? 1.0 : exp(dampy);
  float wx = use_cos_x == 1.0 ? cosineWide(y * freqx) : sineWide(y * freqx);
  float wy = use_cos_y == 1.0 ? cosineWide(x * freqy) : sineWide(x * freqy);
  return w * vec2((x + ex * scalex * wx * wx) * ex, (y + ey * scaley * wy * wy) * ey);
}
