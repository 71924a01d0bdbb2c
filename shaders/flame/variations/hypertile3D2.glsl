// SPDX-License-Identifier: BSD-3-Clause
// hypertile3D2: Moves the hyperbolic ball, then turns it by chance.
// Number 418: makes z, reads z
// Parameters: p 3 (3 to 12), q 7 (3 to 12)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_hypertile3D2(Point point, float w, float p, float q) {
  float x = point.xy.x, y = point.xy.y, z = point.z, s = x * x + y * y + z * z;
  float cp = cosine(kTwoPi / p), rest = (1.0 - cp) / (cp + cosine(kTwoPi / q));
  float c = rest > 0.0 ? 1.0 / sqrt(1.0 + rest) : 1.0, c2 = c * c;
  vec2 moved = vec2(x * (1.0 + c2) + c * (s + 1.0), y * (1.0 - c2));
  vec2 turned = rotate(moved, -kTwoPi / p * floor(unit() * p));
  return w / (c2 * s + 2.0 * c * x + 1.0) * vec3(turned.x, turned.y, z * (1.0 - c2));
}
