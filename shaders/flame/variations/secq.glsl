// SPDX-License-Identifier: BSD-3-Clause
// secq: sec of a quaternion.
// Number 134: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_secq(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float v = sqrt(y * y + z * z), grown = exp(v), shrunk = 1.0 / grown;
  float k = w / (x * x + y * y + z * z);
  float s = -sineWide(x), lift = k * s * 0.5 * (grown - shrunk) / v;
  return vec3(cosineWide(x) * 0.5 * (grown + shrunk) * k, -lift * y, -lift * z);
}
