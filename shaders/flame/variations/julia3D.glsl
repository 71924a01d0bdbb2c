// SPDX-License-Identifier: BSD-3-Clause
// julia3D: julian in space.
// Number 104: reads z, passes z
// Parameters: power 2 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_julia3D(Point p, float w, float power) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float zn = z / abs(power);
  float rest = x * x + y * y;
  float k = w * powOf(rest + zn * zn, (1.0 / power - 1.0) * 0.5);
  float root = k * sqrt(rest);
  float turn = trunc(abs(power) * unit());
  vec2 d = direction((angleOf(y, x) + kTwoPi * turn) / power);
  return vec3(root * d, k * zn);
}
