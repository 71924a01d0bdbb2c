// SPDX-License-Identifier: BSD-3-Clause
// Hexagonal cells of the plane, for hexes and dc_hexes_wf.
#ifndef SHADERS_FLAME_HEXAGONS
#define SHADERS_FLAME_HEXAGONS
#include "shaders/flame/chaos/point.glsl"

vec2 hexagonMiddle(vec2 cell, float size) {
  return size * vec2(1.5 * (cell.x - cell.y), 0.86602540378 * (cell.x + cell.y));
}

/// How far v is on its way from the middle of a cell to its edge: 1 there.
float hexagonEdge(vec2 v, float size) {
  float a = v.x / size, b = v.y / (1.73205080757 * size);
  return max(abs(2.0 * b), max(abs(a + b), abs(a - b)));
}

/// The middle of the cell around v: the nearest of nine.
vec2 hexagonAround(vec2 v, float size) {
  vec2 cell = vec2(floor((v.x / 3.0 + 0.57735026919 * v.y) / size),
                   floor((0.57735026919 * v.y - v.x / 3.0) / size));
  vec2 best = cell;
  float nearest = 1e30;
  for (int k = 0; k < 9; ++k) {
    vec2 other = vec2(cell.x + float(k / 3 - 1), cell.y + float(k % 3 - 1));
    vec2 away = v - hexagonMiddle(other, size);
    float far = away.x * away.x + away.y * away.y;
    best = far < nearest ? other : best;
    nearest = min(nearest, far);
  }
  return hexagonMiddle(best, size);
}

/// A point turned and scaled about the middle of its cell, and how far out it was, before or after
/// turning, whichever is more.
vec3 hexagonTurned(vec2 from, float size, float power, float rotate, float scale) {
  vec2 middle = hexagonAround(from, size), v = from - middle, t = direction(kTwoPi * rotate);
  float before = hexagonEdge(v, size), wanted = powOf(before, power) * scale;
  v = vec2(v.x * t.x + v.y * t.y, v.y * t.x - v.x * t.y);
  float after = hexagonEdge(v, size), most = max(before, after);
  float share = clamp((most - 0.5) / 0.3, 0.0, 1.0);
  float k = share <= 0.0   ? wanted / before
            : share >= 1.0 ? wanted / after
                           : wanted / before * (1.0 - share) + wanted / after * share;
  return vec3(k * v + middle, most);
}

#endif
