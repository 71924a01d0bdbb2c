// SPDX-License-Identifier: BSD-3-Clause
// scrambly: The cells of a square change places.
// Number 396
// Parameters: l 3 (3 to 25), seed 51 (0 to 1000), byrows 0 (0 to 1), cellsize 0.1 (0.01 to 3)
#include "shaders/flame/chaos/point.glsl"

/// Where the piece comes from that a shuffle of `count` pieces, from `first` on, puts at `at`: from the last
/// exchange back to the first, those of this piece alone. The numbers are made anew for each (a few, of at
/// most 624), since an array of them would be memory of each invocation.
int scrambledFrom(int at, int first, int count, int seed) {
  int place = at - first, before = count - 1;
  for (int exchange = 0; exchange < 625; ++exchange) {
    uint number = 1u;
    int last = -1, other = place;
    for (int j = 0; j < 625; ++j) {
      if (j >= before) break;
      number = number * 1103515245u + 12345u;
      number = (number & 0xffff0000u) | ((number << 8) & 0xff00u) | ((number >> 8) & 0x00ffu);
      number = (number & 4u) != 0u ? number - uint(seed) : number ^ uint(seed);
      number = int(number) < 0 ? 0u - number : number;
      int with = 1 + j + int(number % uint(count - 1 - j));
      if (with == place || j == place) last = j, other = with == place ? j : with;
    }
    if (last < 0) break;
    place = other;
    before = last;
  }
  return first + place;
}

vec2 variation_scrambly(Point p, float w, float l, float seed, float byrows, float cellsize) {
  float px = p.xy.x, py = p.xy.y;
  float side = clamp(abs(nearestOf(l)), 3.0, 25.0), cell = cellsize / side;
  float x = (px + 0.5 * cellsize) / cell, y = (py + 0.5 * cellsize) / cell;
  float column = floor(x), row = floor(y);
  if (!(column >= 0.0 && column < side && row >= 0.0 && row < side)) return w * vec2(px, py);
  int wide = int(side), at = int(column) + wide * int(row), shift = int(nearestOf(seed));
  bool rows = nearestOf(byrows) != 0.0;
  int from = scrambledFrom(at, rows ? wide * int(row) : 0, rows ? wide : wide * wide,
                           rows ? shift + int(row) : shift);
  from = shift >= 0 && shift <= 50 ? (shift + at + 1) % (wide * wide) : from;
  vec2 to = vec2(x - column + float(from % wide), y - row + float(from / wide));
  return w * vec2(to.x * cell - 0.5 * cellsize, to.y * cell - 0.5 * cellsize);
}
