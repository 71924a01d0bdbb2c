// SPDX-License-Identifier: BSD-3-Clause
// Irregular cells of the plane: squares whose middles are moved by a hash of their place.
#ifndef SHADERS_FLAME_CELLS
#define SHADERS_FLAME_CELLS

uint mixedBits(uint v) {
  v = (v ^ (v >> 16)) * 0x7feb352du;
  v = (v ^ (v >> 15)) * 0x846ca68bu;
  return v ^ (v >> 16);
}

/// In -1..1, most often near 0.
float cellNoise(vec2 cell, uint seed) {
  uint bits = mixedBits(uint(int(cell.x)) + mixedBits(uint(int(cell.y)) + mixedBits(seed)));
  return float(bits & 0xffffu) / 65536.0 + float(bits >> 16) / 65536.0 - 1.0;
}

vec2 cellMiddle(vec2 cell, float size, float distort, float z) {
  uint seed = 2u * uint(int(floor(64.0 * z + 0.5)));
  return size * (cell + distort * vec2(cellNoise(cell, seed), cellNoise(cell, seed + 1u)));
}

/// The one of nine cells whose middle is nearest to u.
vec2 cellAround(vec2 first, vec2 u, float size, float distort, float z) {
  vec2 best = first;
  float nearest = 1e30;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      vec2 cell = first + vec2(float(i), float(j)), away = u - cellMiddle(cell, size, distort, z);
      float d = dot(away, away);
      best = d < nearest ? cell : best;
      nearest = min(nearest, d);
    }
  return best;
}

/// How far u is on its way from the middle of `cell` to an edge: 1 there.
float cellEdge(vec2 cell, vec2 u, float size, float distort, float z) {
  vec2 middle = cellMiddle(cell, size, distort, z);
  float most = -1e30;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      vec2 to = cellMiddle(cell + vec2(float(i), float(j)), size, distort, z) - middle;
      float ratio = 2.0 * dot(u - middle, to) / dot(to, to);
      most = i == 0 && j == 0 ? most : max(most, ratio);
    }
  return most;
}

#endif
