// SPDX-License-Identifier: BSD-3-Clause
// loonie: Turns the inside of a disc inside out.
// Number 66
#include "shaders/flame/chaos/point.glsl"

vec2 variation_loonie(Point p, float w) {
  float w2 = w * w;
  return (p.r2 < w2 ? w * sqrt(w2 / p.r2 - 1) : w) * p.xy;
}
