// SPDX-License-Identifier: BSD-3-Clause
// cschq: csch of a quaternion.
// Number 402: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_cschq(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float v = sqrt(y * y + z * z), k = w / (x * x + y * y + z * z);
  vec2 grown = sinhCosh(x);
  float lift = k * grown.y * sineWide(v) / v;
  return vec3(grown.x * cosineWide(v) * k, -lift * y, -lift * z);
}
