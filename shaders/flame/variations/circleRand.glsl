// SPDX-License-Identifier: BSD-3-Clause
// circleRand: Discs of dust in squares, by chance.
// Number 351
// Parameters: Sc 1 (0.1 to 3), Dens 0.5 (0 to 1), X 10 (1 to 20), Y 10 (1 to 20),
//   Seed 0 (0 to 1000)
#include "shaders/flame/chaos/point.glsl"

/// In 0..1, from two whole numbers.
float circleRandNoise(float x, float y) {
  uint n = uint(int(x)) + uint(int(y)) * 57u;
  n = (n << 13) ^ n;
  return float((n * (n * n * 15731u + 789221u) + 1376312589u) & 0x7fffffffu) / 2147483647.0;
}

vec2 variation_circleRand(Point p, float w, float Sc, float Dens, float X, float Y, float Seed) {
  vec2 found = vec2(0.0, 0.0);
  for (int i = 0; i < 100; ++i) {
    float x = X * (1.0 - 2.0 * unit());
    float y = Y * (1.0 - 2.0 * unit());
    float m = floor(0.5 * x / Sc), n = floor(0.5 * y / Sc);
    float u = x - (2.0 * m + 1.0) * Sc, v = y - (2.0 * n + 1.0) * Sc;
    found = vec2(x, y);
    if (circleRandNoise(m + nearestOf(Seed), n) <= Dens &&
        sqrt(u * u + v * v) <= (0.3 + 0.7 * circleRandNoise(m + 10.0, n + 3.0)) * Sc)
      break;
  }
  return w * found;
}
