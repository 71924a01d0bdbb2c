// SPDX-License-Identifier: BSD-3-Clause
// julia: One of the two square roots: half of theta, or its opposite.
// Number 13
#include "shaders/flame/chaos/point.glsl"

vec2 variation_julia(Point p, float w) {
  vec2 root = rootOfLength(vec2(p.xy.y, p.xy.x), p.r);
  return randomBit() == 0 ? w * root : -w * root;
}
