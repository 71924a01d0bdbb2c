// SPDX-License-Identifier: BSD-3-Clause
// Plane symmetry groups: turns, mirrors and shifts, one of them by chance.
#ifndef SHADERS_FLAME_ISOMETRIES
#define SHADERS_FLAME_ISOMETRIES
#include "shaders/flame/chaos/point.glsl"

/// Which of `count`, evenly.
float isometryDrawn(float count) { return min(floor(unit() * count), count - 1.0); }

/// v turned by `turns` of `count`, mirrored across the x axis before if asked to.
vec2 isometryTurned(vec2 v, float turns, float count, bool mirrored) {
  vec2 t = direction(kTwoPi * turns / count);
  float b = mirrored ? -v.y : v.y;
  return vec2(v.x * t.x - b * t.y, v.x * t.y + b * t.x);
}

/// Where a point goes of a group with turns (and mirrors) around two places, step apart.
vec2 isometryPair(vec2 from, float count, bool mirrors, float first, float stepx, float stepy) {
  float drawn = isometryDrawn(mirrors ? 4.0 * count : 2.0 * count);
  float side = drawn < (mirrors ? 2.0 * count : count) ? -0.5 : 0.5;
  bool mirrored = mirrors && drawn - 2.0 * floor(0.5 * drawn) > 0.5;
  float turns = mirrors ? floor(0.5 * drawn) : drawn;
  return isometryTurned(from, turns + first, count, mirrored) + side * vec2(stepx, stepy);
}

#endif
