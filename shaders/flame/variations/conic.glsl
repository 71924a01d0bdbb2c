// SPDX-License-Identifier: BSD-3-Clause
// conic: A conic section, filled by noise.
// Number 52
// Parameters: eccentricity 1 (-2 to 2), holes 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_conic(Point p, float w, float eccentricity, float holes) {
  return w * (unit() - holes) * eccentricity / (1 + eccentricity * p.xy.x / p.r) / p.r * p.xy;
}
