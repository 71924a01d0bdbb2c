// SPDX-License-Identifier: BSD-3-Clause
// disc3: disc with eight factors.
// Number 247
// Parameters: a 1 (-3 to 3), b 1 (-3 to 3), c 1 (-3 to 3), d 1 (-3 to 3), e 1 (-3 to 3),
//   f 1 (-3 to 3), g 1 (-3 to 3), h 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc3(Point p, float w, float a, float b, float c, float d, float e, float f,
    float g, float h) {
  float x = p.xy.x, y = p.xy.y;
  float turn = kPi * sqrt(x * d * x * e + y * f * y * g);
  return w * angleOf(x, y) / kPi * c * h * vec2(sine(turn) * a, cosine(turn) * b);
}
