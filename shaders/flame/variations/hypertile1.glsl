// SPDX-License-Identifier: BSD-3-Clause
// hypertile1: Random turns of the hyperbolic disc.
// Number 160
// Parameters: p 3 (3 to 12), q 7 (3 to 12)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hypertile1(Point point, float w, float p, float q) {
  float x = point.xy.x, y = point.xy.y;
  float cp = cosine(kTwoPi / p), cq = cosine(kTwoPi / q);
  float rest = (1.0 - cp) / (cp + cq) + 1.0;
  float radius = rest > 0.0 ? 1.0 / sqrt(rest) : 1.0;
  float turn = trunc(p * unit());
  vec2 d = radius * direction(turn * kTwoPi / p);
  float a = x + d.x, b = y - d.y, c = d.x * x - d.y * y + 1.0, e = d.x * y + d.y * x;
  float k = w / (c * c + e * e);
  return k * vec2(a * c + b * e, b * c - a * e);
}
