// SPDX-License-Identifier: BSD-3-Clause
// pyramid: A pyramid.
// Number 136: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_pyramid(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float cx = x * x * x, cy = y * y * y, cz = abs(z * z * z);
  float k = w / (abs(cx) + abs(cy) + cz + 1e-9);
  return k * vec3(cx, cy, cz);
}
