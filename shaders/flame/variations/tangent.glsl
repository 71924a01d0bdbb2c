// SPDX-License-Identifier: BSD-3-Clause
// tangent: Sine over cosine, and the tangent.
// Number 42
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tangent(Point p, float w) {
  return w * vec2(sine(p.xy.x) / cosine(p.xy.y), tangent(p.xy.y));
}
