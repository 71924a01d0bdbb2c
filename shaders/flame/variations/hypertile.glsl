// SPDX-License-Identifier: BSD-3-Clause
// hypertile: A turn of the hyperbolic disc.
// Number 159
// Parameters: p 3 (3 to 12), q 7 (3 to 12), n 0 (0 to 12)
#include "shaders/flame/chaos/hyperbolic_tiles.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hypertile(Point point, float w, float p, float q, float n) {
  return tileMoved(point.xy, tileRadius(p, q) * direction(n * kTwoPi / p), w);
}
