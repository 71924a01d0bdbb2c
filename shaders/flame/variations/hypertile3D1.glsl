// SPDX-License-Identifier: BSD-3-Clause
// hypertile3D1: Random turns of the hyperbolic ball.
// Number 122: makes z, reads z
// Parameters: p 3 (3 to 12), q 7 (3 to 12)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_hypertile3D1(Point point, float w, float p, float q) {
  float x = point.xy.x, y = point.xy.y, z = point.z;
  float cp = cosine(kTwoPi / p), cq = cosine(kTwoPi / q);
  float rest = (1.0 - cp) / (cp + cq);
  float radius = rest > 0.0 ? 1.0 / sqrt(1.0 + rest) : 1.0;
  float turn = trunc(p * unit());
  vec2 c = radius * direction(turn * kTwoPi / p);
  float s = x * x + y * y + z * z, tx = 2.0 * c.x * x, ty = 2.0 * c.y * y, c2 = radius * radius;
  float k = w / (c2 * s + tx - ty + 1.0);
  return k * vec3(x * (1.0 + c.x * c.x - c.y * c.y) - c.x * (ty - s - 1.0), y * (1.0 + c.y * c.y -
      c.x * c.x) + c.y * (-tx - s - 1.0), z * (1.0 - c2));
}
