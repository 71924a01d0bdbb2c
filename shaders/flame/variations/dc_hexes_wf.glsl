// SPDX-License-Identifier: BSD-3-Clause
// dc_hexes_wf: hexes, colored by how far from the middle of its cell a point goes.
// Number 394: sets color
// Parameters: cellsize 1 (0 to 3), power 1 (0 to 3), rotate 0.166 (-1 to 1), scale 1 (0 to 3),
//   color_scale 0.5 (0 to 2), color_offset 0 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 dcHexesMiddle(vec2 cell, float size) {
  return size * vec2(1.5 * (cell.x - cell.y), 0.86602540378 * (cell.x + cell.y));
}
float dcHexesEdge(vec2 v, float size) {
  float a = v.x / size, b = v.y / (1.73205080757 * size);
  return max(abs(2.0 * b), max(abs(a + b), abs(a - b)));
}
/// The cell whose middle is nearest.
vec2 dcHexesCell(vec2 v, float size) {
  vec2 cell = vec2(floor((v.x / 3.0 + 0.57735026919 * v.y) / size),
                   floor((0.57735026919 * v.y - v.x / 3.0) / size));
  vec2 best = cell;
  float nearest = 1e30;
  for (int k = 0; k < 9; ++k) {
    vec2 other = vec2(cell.x + float(k / 3 - 1), cell.y + float(k % 3 - 1));
    vec2 away = v - dcHexesMiddle(other, size);
    float far = away.x * away.x + away.y * away.y;
    best = far < nearest ? other : best;
    nearest = min(nearest, far);
  }
  return best;
}

vec2 variation_dc_hexes_wf(Point p, float w, float cellsize, float power, float rotate, float scale,
                           float color_scale, float color_offset) {
  float px = p.xy.x, py = p.xy.y;
  if (cellsize == 0.0) return vec2(0.0, 0.0);
  vec2 middle = dcHexesMiddle(dcHexesCell(vec2(px, py), cellsize), cellsize);
  vec2 v = vec2(px, py) - middle, t = direction(kTwoPi * rotate);
  float before = dcHexesEdge(v, cellsize), wanted = powOf(before, power) * scale;
  v = vec2(v.x * t.x + v.y * t.y, v.y * t.x - v.x * t.y);
  float after = dcHexesEdge(v, cellsize), most = max(before, after);
  float share = clamp((most - 0.5) / 0.3, 0.0, 1.0);
  float k = share <= 0.0   ? wanted / before
            : share >= 1.0 ? wanted / after
                           : wanted / before * (1.0 - share) + wanted / after * share;
  setColor(most * color_scale + color_offset, w);
  return w * (k * v + middle);
}
