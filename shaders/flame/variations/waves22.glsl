// SPDX-License-Identifier: BSD-3-Clause
// waves22: Waves to a power.
// Number 196
// Parameters: scalex 0.05 (-2 to 2), scaley 0.05 (-2 to 2), freqx 7 (-30 to 30),
//   freqy 13 (-30 to 30), modex 0 (0 to 1), modey 0 (0 to 1), powerx 2 (0 to 8), powery 2 (0 to 8)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves22(Point p, float w, float scalex, float scaley, float freqx, float freqy,
        float modex, float modey, float powerx, float powery) {
  float x = p.xy.x, y = p.xy.y;
  float sx = sineWide(y * freqx), sy = sineWide(x * freqy);
  sx = modex < 0.5 ? sx : 0.5 * (1.0 + sx);
  sy = modey < 0.5 ? sy : 0.5 * (1.0 + sy);
  float nx = trunc(powerx), ny = trunc(powery);
  float gx = powOf(abs(sx), nx), gy = powOf(abs(sy), ny);
  gx = sx < 0.0 && nx - 2.0 * floor(0.5 * nx) > 0.5 ? -gx : gx;
  gy = sy < 0.0 && ny - 2.0 * floor(0.5 * ny) > 0.5 ? -gy : gy;
  return w * vec2(x + gx * scalex, y + gy * scaley);
}
