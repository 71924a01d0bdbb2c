// SPDX-License-Identifier: BSD-3-Clause
// The pyramid of bars: level 0 has a word per cell, each further level cells of twice the side. The
// including file has declared `params`.
#ifndef SHADERS_SMOE_PYRAMID
#define SHADERS_SMOE_PYRAMID

ivec2 levelSize(int level) {
  const int side = SMOE_CELL << level;
  return (params.size + side - 1) / side;
}

/// Levels lie one after the other.
uint levelStart(int level) {
  uint start = 0u;
  for (int i = 0; i < int(params.levels); ++i) {
    const ivec2 dims = levelSize(i);
    start += i < level ? uint(dims.x * dims.y) : 0u;
  }
  return start;
}

#endif
