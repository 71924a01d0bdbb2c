// SPDX-License-Identifier: BSD-3-Clause
// fan: Every other sector of angle k / 2 turns by k / 2 back, the rest forth.
// Number 22
// Packs: kPi * ringWidth(coefs.c), coefs.f, cos(kPi * ringWidth(coefs.c) / 2),
//   sin(kPi * ringWidth(coefs.c) / 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fan(Point p, float w, float k, float f, float cosHalf, float sinHalf) {
  float side = fmodOf(p.theta + f, k) > 0.5 * k ? sinHalf : -sinHalf;
  return w * vec2(p.xy.y * cosHalf + p.xy.x * side, p.xy.x * cosHalf - p.xy.y * side);
}
