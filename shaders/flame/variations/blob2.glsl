// SPDX-License-Identifier: BSD-3-Clause
// blob2: Waves around a disc.
// Beside JWildfire: not compared
// Number 257
// Parameters: mode 0.5 (-1 to 1), n 1 (-10 to 10), radius 0 (-1 to 1), prescale 1 (-3 to 3),
//   postscale 0.5 (-3 to 3), symmetry 0 (-1 to 1), compensation 0 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blob2(Point p, float w, float mode, float n, float radius, float prescale, float
    postscale, float symmetry, float compensation) {
  float x = p.xy.x, y = p.xy.y;
  float r = sqrt(x * x + y * y);
  if (r < radius) return w * vec2(x, y);
  float delta = (sine(angleOf(y, x) * n) + symmetry) / (1.0 + compensation * abs(symmetry));
  float sign = delta < 0.0 ? -1.0 : 1.0;
  float k = powOf(abs(delta), prescale) * postscale * (mode != 0.0 ? mode : sign);
  return w * (radius + (r - radius) * k) / r * vec2(x, y);
}
