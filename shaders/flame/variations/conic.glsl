// SPDX-License-Identifier: BSD-3-Clause
// conic: A conic section, filled by noise.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_conic(Point p, float w, float eccentricity, float holes) {
  return w * (unit() - holes) * eccentricity / (1 + eccentricity * p.xy.x / p.r) / p.r * p.xy;
}
