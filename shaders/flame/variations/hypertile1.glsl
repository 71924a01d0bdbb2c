// SPDX-License-Identifier: BSD-3-Clause
// hypertile1: Random turns of the hyperbolic disc.
// Number 160
// Parameters: p 3 (3 to 12), q 7 (3 to 12)
#include "shaders/flame/chaos/hyperbolic_tiles.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hypertile1(Point point, float w, float p, float q) {
  float turn = trunc(p * unit());
  return tileMoved(point.xy, tileRadius(p, q) * direction(turn * kTwoPi / p), w);
}
