// SPDX-License-Identifier: BSD-3-Clause
// juliac: julia with a complex power.
// Number 143
// Parameters: re 3.5 (-10 to 10), im 0 (-10 to 10), dist 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_juliac(Point p, float w, float re, float im, float dist) {
  float x = p.xy.x, y = p.xy.y;
  float inverse = 1.0 / (re + 1e-10), tilt = im / 100.0;
  float count = floor(unit() * 4096.0), turn = count - abs(re) * floor(count / abs(re));
  float a = angleOf(y, x) + turn * kTwoPi, length = dist * 0.5 * logOf(x * x + y * y);
  return w * exp(length * inverse - a * tilt) * direction(a * inverse + length * tilt);
}
