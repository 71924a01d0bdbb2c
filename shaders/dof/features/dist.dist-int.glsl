// SPDX-License-Identifier: BSD-3-Clause
// Positions are 16-bit integers; one conversion for the comparison.
#define PIXEL_POSITION ivec2
bool covers(ivec2 pixel, uint position, float r2) {
  int both = int(position);
  ivec2 way = ivec2(bitfieldExtract(both, 0, 16), bitfieldExtract(both, 16, 16)) - pixel;
  return float(way.x * way.x + way.y * way.y) <= r2;
}
