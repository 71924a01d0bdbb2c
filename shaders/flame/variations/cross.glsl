// SPDX-License-Identifier: BSD-3-Clause
// cross: Far away along the diagonals.
// Number 48
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cross(Point p, float w) {
  float s = (p.xy.x - p.xy.y) * (p.xy.x + p.xy.y);
  return w * inversesqrt(s * s + kEps) * p.xy;
}
