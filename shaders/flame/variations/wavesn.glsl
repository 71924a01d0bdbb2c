// SPDX-License-Identifier: BSD-3-Clause
// wavesn: julian with waves.
// Beside JWildfire: not compared
// Number 356
// Parameters: freqx 2 (-6 to 6), freqy 2 (-6 to 6), scalex 1 (-2 to 2), scaley 1 (-2 to 2),
//   incx 0 (-2 to 2), incy 0 (-2 to 2), power 1 (-6 to 6)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_wavesn(Point p, float w, float freqx, float freqy, float scalex, float scaley,
                      float incx, float incy, float power) {
  float px = p.xy.x, py = p.xy.y;
  float n = nearestOf(power) == 0.0 ? 2.0 : nearestOf(power), count = abs(n);
  float angle = (angleOf(py, px) + kTwoPi * min(floor(unit() * count), count - 1.0)) / n;
  vec2 q = w * powOf(px * px + py * py, 0.5 / n) * direction(angle);
  float sx = sine(freqx * q.y), sy = sine(freqy * q.x);
  return w * vec2(q.x + 0.5 * sx * (scalex + abs(q.x) * incx),
                  q.y + 0.5 * sy * (scaley + abs(q.y) * incy));
}
