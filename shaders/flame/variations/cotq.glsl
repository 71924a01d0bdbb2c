// SPDX-License-Identifier: BSD-3-Clause
// cotq: cot of a quaternion.
// Number 403: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_cotq(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float v2 = y * y + z * z, v = sqrt(v2), s = sineWide(x), c = cosineWide(x), k = w / (x * x + v2);
  vec2 grown = sinhCosh(v);
  float a = c * grown.x / v, b = -s * grown.x / v, u = s * grown.y, t = c * grown.y;
  return k * vec3(u * t + a * b * v2, (u * b - a * t) * y, (u * b - a * t) * z);
}
