// SPDX-License-Identifier: BSD-3-Clause
// hexes: Hexagonal cells, each scaled and turned about its middle.
// Number 262
// Parameters: cellsize 1 (-3 to 3), power 1 (-3 to 3), rotate 0.166 (-1 to 1), scale 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 hexesMiddle(vec2 cell, float size) {
  return size * vec2(1.5 * (cell.x - cell.y), 0.86602540378 * (cell.x + cell.y));
}
float hexesEdge(vec2 v, float size) {
  float a = v.x / size, b = v.y / (1.73205080757 * size);
  return max(abs(2.0 * b), max(abs(a + b), abs(a - b)));
}

vec2 variation_hexes(Point p, float w, float cellsize, float power, float rotate, float scale) {
  float x = p.xy.x, y = p.xy.y;
  if (cellsize == 0.0) return vec2(0.0, 0.0);
  vec2 u = vec2(x, y), cell = vec2(floor((x / 3.0 + 0.57735026919 * y) / cellsize),
      floor((0.57735026919 * y - x / 3.0) / cellsize));
  vec2 best = cell;
  float nearest = 1e30;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      vec2 away = u - hexesMiddle(cell + vec2(float(i), float(j)), cellsize);
      float d = away.x * away.x + away.y * away.y;
      best = d < nearest ? cell + vec2(float(i), float(j)) : best;
      nearest = min(nearest, d);
    }
  }
  vec2 middle = hexesMiddle(best, cellsize), v = u - middle, t = direction(kTwoPi * rotate);
  float before = hexesEdge(v, cellsize);
  float wanted = powOf(before, power) * scale;
  v = vec2(v.x * t.x + v.y * t.y, v.y * t.x - v.x * t.y);
  float after = hexesEdge(v, cellsize), most = max(before, after);
  float share = clamp((most - 0.5) / 0.3, 0.0, 1.0);
  float k = share <= 0.0 ? wanted / before : share >= 1.0 ? wanted / after : wanted / before *
      (1.0 - share) + wanted / after * share;
  return w * (k * v + middle);
}
