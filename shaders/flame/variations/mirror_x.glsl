// SPDX-License-Identifier: BSD-3-Clause
// mirror_x: Mirrors at the y axis by chance, whatever the weight.
// Beside JWildfire: not compared
// Number 416: makes z, assigns
#include "shaders/flame/chaos/point.glsl"

vec3 variation_mirror_x(Point p, float w) {
  return vec3(unit() < 0.5 ? p.xy.x : -p.xy.x, p.xy.y, p.z);
}
