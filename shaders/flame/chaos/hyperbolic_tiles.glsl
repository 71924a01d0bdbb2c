// SPDX-License-Identifier: BSD-3-Clause
// Motions of the hyperbolic disc, for hypertile, hypertile1 and hypertile2.
#ifndef SHADERS_FLAME_HYPERBOLIC_TILES
#define SHADERS_FLAME_HYPERBOLIC_TILES
#include "shaders/flame/chaos/point.glsl"

/// How far the origin goes to the next tile, where tiles have p corners of which q meet.
float tileRadius(float p, float q) {
  float cp = cosine(kTwoPi / p), cq = cosine(kTwoPi / q);
  float rest = (1.0 - cp) / (cp + cq) + 1.0;
  return rest > 0.0 ? 1.0 / sqrt(rest) : 1.0;
}

/// The motion that takes the origin to (by.x, -by.y), of v; times w.
vec2 tileMoved(vec2 v, vec2 by, float w) {
  float a = v.x + by.x, b = v.y - by.y, c = by.x * v.x - by.y * v.y + 1.0;
  float e = by.x * v.y + by.y * v.x;
  float k = w / (c * c + e * e);
  return k * vec2(a * c + b * e, b * c - a * e);
}

#endif
