// SPDX-License-Identifier: BSD-3-Clause
// disc3: disc with eight factors.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_disc3(Point p, float w, float a, float b, float c, float d, float e, float f,
    float g, float h) {
  float x = p.xy.x, y = p.xy.y;
  float turn = kPi * sqrt(x * d * x * e + y * f * y * g);
  return w * angleOf(x, y) / kPi * c * h * vec2(sine(turn) * a, cosine(turn) * b);
}
