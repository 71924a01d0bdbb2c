// SPDX-License-Identifier: BSD-3-Clause
// lozi: The map of Lozi.
// Number 311
// Parameters: a 0.5 (-2 to 2), b 1 (-2 to 2), c 1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lozi(Point p, float w, float a, float b, float c) {
  float px = p.xy.x, py = p.xy.y;
  return w * vec2(c - a * abs(px) + py, b * px);
}
