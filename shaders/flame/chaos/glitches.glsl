// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a row that chance moves, from whole numbers, for glitchy1 and pixel_flow.
#ifndef SHADERS_FLAME_GLITCHES
#define SHADERS_FLAME_GLITCHES

#include "shaders/flame/chaos/point.glsl"

/// In -1..1, from a whole number.
float glitchHash(int v) {
  int a = (v ^ 61) ^ (v >> 16);
  a = int(uint(a) + (uint(a) << 3));
  a = a ^ (a >> 4);
  a = int(uint(a) * 0x27d4eb2du);
  a = a ^ (a >> 15);
  return float(a) / 2147483647.0;
}
int glitchBlock(float v, int seed) {
  int block = int(floor(clamp(v, -1e6, 1e6)));
  return int(float(block) + (2.0 - 4.0 * glitchHash(int(uint(block) * uint(seed) + 1u))));
}

#endif
