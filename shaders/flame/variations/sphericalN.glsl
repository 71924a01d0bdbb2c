// SPDX-License-Identifier: BSD-3-Clause
// sphericalN: Copies of spherical, turned.
// Number 177
// Parameters: power 3 (1 to 12), dist 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sphericalN(Point p, float w, float power, float dist) {
  float x = p.xy.x, y = p.xy.y;
  float radius = powOf(x * x + y * y, 0.5 * dist);
  float turn = floor(power * unit());
  vec2 d = direction(angleOf(y, x) + turn * kTwoPi / floor(power));
  return radius > 1e-10 ? w / radius * d : vec2(0.0, 0.0);
}
