// SPDX-License-Identifier: BSD-3-Clause
// bipolar2: bipolar with factors.
// Number 170
// Parameters: shift 0 (-3 to 3), a 1 (-3 to 3), b 2 (-3 to 3), c 0.5 (-3 to 3), d 1 (-3 to 3),
//   e 2 (-3 to 3), f1 0.25 (-3 to 3), g1 1 (-3 to 3), h 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bipolar2(Point p, float w, float shift, float a, float b, float c, float d, float e,
        float f1, float g1, float h) {
  float x = p.xy.x, y = p.xy.y;
  float s = (x * x + y * y) * g1, t = s + a, x2 = b * x;
  float v = c * angleOf(e * y, s - d) - 0.5 * kPi * shift;
  if (v > 0.5 * kPi) v = -0.5 * kPi + fmodOf(v + 0.5 * kPi, kPi);
  else if (v < -0.5 * kPi) v = 0.5 * kPi - fmodOf(0.5 * kPi - v, kPi);
  float quotient = (t + x2) / (t - x2);
  if (quotient <= 0.0 || t == x2) return vec2(0.0, 0.0);
  return w * 2.0 / kPi * vec2(f1 * logOf(quotient), v * h);
}
