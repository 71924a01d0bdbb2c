// SPDX-License-Identifier: BSD-3-Clause
// waves2b: Waves that fade or grow outwards.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves2b(Point p, float w, float freqx, float freqy, float pwx, float pwy, float
        scalex, float scaleinfx, float scaley, float scaleinfy, float unity, float jacok) {
  float x = p.xy.x, y = p.xy.y;
  float hx = unity / (unity + x * x) * (scalex - scaleinfx) + scaleinfx;
  float hy = unity / (unity + y * y) * (scaley - scaleinfy) + scaleinfy;
  float ay = powOf(abs(y) + 1e-10, pwx) * freqx, ax = powOf(abs(x) + 1e-10, pwy) * freqy;
  return w * vec2(x + hx * sineWide(y < 0.0 ? -ay : ay), y + hy * sineWide(x < 0.0 ? -ax : ax));
}
