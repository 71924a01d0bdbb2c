// SPDX-License-Identifier: BSD-3-Clause
// julia3Dq: julia3D with a divisor.
// Number 271: reads z, passes z
// Parameters: power 3 (-8 to 8), divisor 2 (1 to 8)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_julia3Dq(Point p, float w, float power, float divisor) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float inverse = divisor / power;
  float turn = floor(unit() * max(abs(power), 1.0));
  float a = angleOf(y, x) * inverse + kTwoPi / power * turn;
  float zn = z * abs(inverse), r2 = x * x + y * y;
  float r = w * powOf(r2 + zn * zn, 0.5 * inverse - 0.5);
  return vec3(r * sqrt(r2) * direction(a), r * zn);
}
