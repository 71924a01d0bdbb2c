// SPDX-License-Identifier: BSD-3-Clause
// shape: Gielis's superformula, filled, with a hole.
// Beside JWildfire: not compared
// Number 381
// Parameters: m 0 (0 to 20), n1 1 (-5 to 5), n2 1 (-5 to 5), n3 1 (-5 to 5), a 1 (0.1 to 3),
//   b 1 (0.1 to 3), holes 1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_shape(Point p, float w, float m, float n1, float n2, float n3, float a, float b,
                     float holes) {
  float px = p.xy.x, py = p.xy.y;
  float angle = angleOf(py, px), at = 0.25 * m * angle;
  float sum = powOf(abs(cosine(at) / a), n2) + powOf(abs(sine(at) / b), n3);
  return w * (unit() - holes) * powOf(sum, -1.0 / n1) * direction(angle);
}
