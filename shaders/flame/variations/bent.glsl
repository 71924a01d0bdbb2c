// SPDX-License-Identifier: BSD-3-Clause
// bent: Stretches one half plane, squeezes another.
// Number 14
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bent(Point p, float w) {
  return w * vec2(p.xy.x < 0 ? 2 * p.xy.x : p.xy.x, p.xy.y < 0 ? 0.5 * p.xy.y : p.xy.y);
}
