// SPDX-License-Identifier: BSD-3-Clause
// ennepers2: A surface of Enneper.
// Number 273: makes z
// Parameters: a 1 (-3 to 3), b 0.3333 (-3 to 3), c 0.075 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_ennepers2(Point p, float w, float a, float b, float c) {
  float x = p.xy.x, y = p.xy.y;
  float k = 1.0 / (x * x + y * y), d = a * x * a * x - b * y * b * y;
  return w * vec3(x * (a * a - d * k - c * sqrt(abs(x))), y * (b * b - d * k - c * sqrt(abs(y))),
      0.5 * d * sqrt(k));
}
