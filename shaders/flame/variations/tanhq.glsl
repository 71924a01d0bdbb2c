// SPDX-License-Identifier: BSD-3-Clause
// tanhq: tanh of a quaternion.
// Number 133: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_tanhq(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float v = sqrt(y * y + z * z), s = sineWide(v), c = cosineWide(v), s2 = y * y + z * z;
  float grown = exp(x), shrunk = 1.0 / grown, sh = 0.5 * (grown - shrunk), ch = 0.5 * (grown +
      shrunk);
  float k = w / (x * x + s2), a = ch * s / v, b = sh * s / v, u = sh * c, t = ch * c;
  return k * vec3(u * t + a * b * s2, -u * b * y + a * y * t, -u * b * z + a * z * t);
}
