// SPDX-License-Identifier: BSD-3-Clause
// julia3Dz: julian; z shrinks with the radius.
// Number 105: passes z
// Parameters: power 2 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_julia3Dz(Point p, float w, float power) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float rest = x * x + y * y;
  float k = w * powOf(rest, 0.5 / power);
  float turn = trunc(abs(power) * unit());
  vec2 d = direction((angleOf(y, x) + kTwoPi * turn) / power);
  return vec3(k * d, k * z / (sqrt(rest) * abs(power)));
}
