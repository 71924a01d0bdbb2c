// SPDX-License-Identifier: BSD-3-Clause
// horseshoe: Doubles the angle.
// Number 4
#include "shaders/flame/chaos/point.glsl"

vec2 variation_horseshoe(Point p, float w) {
  return w / (p.r + kEps) * vec2((p.xy.x - p.xy.y) * (p.xy.x + p.xy.y), 2 * p.xy.x * p.xy.y);
}
