// SPDX-License-Identifier: BSD-3-Clause
// lozi: The map of Lozi.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lozi(Point p, float w, float a, float b, float c) {
  float px = p.xy.x, py = p.xy.y;
  return w * vec2(c - a * abs(px) + py, b * px);
}
