// SPDX-License-Identifier: BSD-3-Clause
// flower: Petals, filled by noise.
// Number 51
// Parameters: petals 0 (-12 to 12), holes 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_flower(Point p, float w, float petals, float holes) {
  return w * (unit() - holes) * cosine(petals * p.phi) / p.r * p.xy;
}
