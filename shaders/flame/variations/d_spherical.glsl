// SPDX-License-Identifier: BSD-3-Clause
// d_spherical: spherical now and then.
// Number 165
// Parameters: d_spher_weight 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_d_spherical(Point p, float w, float d_spher_weight) {
  float x = p.xy.x, y = p.xy.y;
  float k = unit() < d_spher_weight ? w / (x * x + y * y) : w;
  return k * vec2(x, y);
}
