// SPDX-License-Identifier: BSD-3-Clause
// murl: A map of the plane by a power.
// Number 169
// Parameters: c 0.1 (-3 to 3), power 1 (-10 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_murl(Point p, float w, float c, float power) {
  float x = p.xy.x, y = p.xy.y;
  float k = power != 1.0 ? c / (power - 1.0) : c;
  float radius = k * powOf(x * x + y * y, 0.5 * power);
  vec2 q = radius * direction(angleOf(y, x) * power) + vec2(1.0, 0.0);
  float s = w * (k + 1.0) / (q.x * q.x + q.y * q.y);
  return s * vec2(x * q.x + y * q.y, y * q.x - x * q.y);
}
