// SPDX-License-Identifier: BSD-3-Clause
// waves2b: Waves that fade or grow outwards.
// Number 195
// Parameters: freqx 1.5 (-10 to 10), freqy 2.5 (-10 to 10), pwx 1 (-3 to 3), pwy 1.5 (-3 to 3),
//   scalex 2 (-3 to 3), scaleinfx 1 (-3 to 3), scaley 0.75 (-3 to 3), scaleinfy 1.5 (-3 to 3),
//   unity 1 (0 to 4), jacok 0.25 (-1 to 1)
#include "shaders/flame/chaos/elliptic.glsl"
#include "shaders/flame/chaos/point.glsl"

/// A wave along v: sines, where the power is 0 Jacobi's, just below 0 Bessel's.
float waveOf2b(float v, float power, float freq, float rest) {
  if (power >= 0.0 && power < 1e-4) return jacobiSine(v * freq, rest);
  if (power < 0.0 && power > -1e-4) return besselOfOne(v * freq);
  float grown = powOf(abs(v) + 1e-10, power) * freq;
  return sineWide(v < 0.0 ? -grown : grown);
}

vec2 variation_waves2b(Point p, float w, float freqx, float freqy, float pwx, float pwy, float
        scalex, float scaleinfx, float scaley, float scaleinfy, float unity, float jacok) {
  float x = p.xy.x, y = p.xy.y;
  float rest = clamp(jacok, -1.0, 1.0), hx = unity / (unity + x * x) * (scalex - scaleinfx) + scaleinfx;
  float hy = unity / (unity + y * y) * (scaley - scaleinfy) + scaleinfy;
  return w * vec2(x + hx * waveOf2b(y, pwx, freqx, rest), y + hy * waveOf2b(x, pwy, freqy, rest));
}
