// SPDX-License-Identifier: BSD-3-Clause
// loonie2: loonie within a star or polygon.
// Number 258
// Parameters: sides 4 (1 to 12), star 0.15 (-1 to 1), circle 0.25 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_loonie2(Point p, float w, float sides, float star, float circle) {
  float x = p.xy.x, y = p.xy.y;
  float count = nearestOf(sides), step = kTwoPi / count;
  float ss = sine(-0.5 * kPi * star), cs = cosine(-0.5 * kPi * star);
  float bound = x * cs + abs(y) * ss;
  for (int i = 1; i < 50; ++i) {
    if (float(i) >= count) break;
    vec2 t = direction(step * float(i));
    bound = max(bound, (x * t.x - y * t.y) * cs + abs(x * t.y + y * t.x) * ss);
  }
  bound = bound * cosine(0.5 * kPi * circle) + sqrt(x * x + y * y) * sine(0.5 * kPi * circle);
  bound = count > 2.5 ? bound * bound : abs(bound) * bound;
  if (bound > 0.0 && bound < w * w) return w * sqrt(abs(w * w / bound - 1.0)) * vec2(x, y);
  if (bound < 0.0) return w / sqrt(abs(w * w / bound) - 1.0) * vec2(x, y);
  return w * vec2(x, y);
}
