// SPDX-License-Identifier: BSD-3-Clause
// Positions are halves; differences and squares are floats.
#define PIXEL_POSITION vec2
bool covers(vec2 pixel, uint position, float r2) {
  vec2 way = unpackHalf2x16(position) - pixel;
  return dot(way, way) <= r2;
}
