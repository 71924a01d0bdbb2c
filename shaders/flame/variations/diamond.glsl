// SPDX-License-Identifier: BSD-3-Clause
// diamond: Waves of the radius along both directions.
// Number 11
#include "shaders/flame/chaos/point.glsl"

vec2 variation_diamond(Point p, float w) {
  return w * vec2(p.sinTheta * cosine(p.r), p.cosTheta * sine(p.r));
}
