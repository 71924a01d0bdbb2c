// SPDX-License-Identifier: BSD-3-Clause
// farblur: Blurs more the farther away, after the others.
// Number 124: makes z, after the others
// Parameters: x 1 (-3 to 3), y 1 (-3 to 3), z 1 (-3 to 3), x_origin 0 (-3 to 3),
//   y_origin 0 (-3 to 3), z_origin 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_farblur(Point p, float w, float x, float y, float z, float x_origin, float y_origin,
        float z_origin) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  float dx = px - x_origin, dy = py - y_origin, dz = pz - z_origin;
  float radius = w * (dx * dx + dy * dy + dz * dz) * gauss4();
  vec2 u = direction(unit() * kTwoPi);
  vec2 v = direction(unit() * kTwoPi);
  return vec3(px + x * radius * v.y * u.x, py + y * radius * v.y * u.y, pz + z * radius * v.x);
}
