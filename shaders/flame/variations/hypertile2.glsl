// SPDX-License-Identifier: BSD-3-Clause
// hypertile2: A turn of the hyperbolic disc and a random one of the plane.
// Number 161
// Parameters: p 3 (3 to 12), q 7 (3 to 12)
#include "shaders/flame/chaos/hyperbolic_tiles.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hypertile2(Point point, float w, float p, float q) {
  float x = point.xy.x, y = point.xy.y, radius = tileRadius(p, q);
  float turn = trunc(p * unit());
  vec2 d = direction(turn * kTwoPi / p);
  float a = x + radius, b = y, c = radius * x + 1.0, e = radius * y;
  float tx = a * c + b * e, ty = b * c - a * e;
  float k = w / (c * c + e * e);
  return k * vec2(tx * d.x + ty * d.y, ty * d.x - tx * d.y);
}
