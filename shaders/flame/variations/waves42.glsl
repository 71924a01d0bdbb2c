// SPDX-License-Identifier: BSD-3-Clause
// waves42: waves4 with rows of a height of their own.
// Number 308
// Parameters: scalex 0.05 (-1 to 1), scaley 0.05 (-1 to 1), freqx 7 (-20 to 20),
//   freqy 13 (-20 to 20), cont 0 (0 to 1), yfact 0.1 (0 to 1), freqx2 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/hashes.glsl"

vec2 variation_waves42(Point p, float w, float scalex, float scaley, float freqx, float freqy,
                       float cont, float yfact, float freqx2) {
  float px = p.xy.x, py = p.xy.y;
  float row = floor(py * freqx2);
  float height = waveHeight(row, 0.001 * py * yfact);
  height = nearestOf(cont) == 1.0 ? (height > 0.5 ? 1.0 : 0.0) : height;
  return w * vec2(px + sine(py * freqx) * height * height * scalex, py + sine(px * freqy) * scaley);
}
