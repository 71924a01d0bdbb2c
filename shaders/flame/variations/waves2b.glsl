// SPDX-License-Identifier: BSD-3-Clause
// waves2b: Waves that fade or grow outwards.
// Beside JWildfire: differs where a power is 0, which are elliptic functions there
// Number 195
// Parameters: freqx 1.5 (-10 to 10), freqy 2.5 (-10 to 10), pwx 1 (-3 to 3), pwy 1.5 (-3 to 3),
//   scalex 2 (-3 to 3), scaleinfx 1 (-3 to 3), scaley 0.75 (-3 to 3), scaleinfy 1.5 (-3 to 3),
//   unity 1 (0 to 4), jacok 0.25 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves2b(Point p, float w, float freqx, float freqy, float pwx, float pwy, float
        scalex, float scaleinfx, float scaley, float scaleinfy, float unity, float jacok) {
  float x = p.xy.x, y = p.xy.y;
  float hx = unity / (unity + x * x) * (scalex - scaleinfx) + scaleinfx;
  float hy = unity / (unity + y * y) * (scaley - scaleinfy) + scaleinfy;
  float ay = powOf(abs(y) + 1e-10, pwx) * freqx, ax = powOf(abs(x) + 1e-10, pwy) * freqy;
  return w * vec2(x + hx * sineWide(y < 0.0 ? -ay : ay), y + hy * sineWide(x < 0.0 ? -ax : ax));
}
