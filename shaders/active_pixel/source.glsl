// SPDX-License-Identifier: BSD-3-Clause
// Finding a pixel's payload in a sparse image that is read, from its masks and sums.
#include "shaders/active_pixel/payload.glsl"

bool covers(ApSource source, uint x, uint y) {
  return x - source.left < source.width && y - source.bottom < source.height;
}

/// The mask word of a pixel that the source covers; its bit is that of x - left.
uint maskIndex(ApSource source, uint x, uint y) {
  return (y - source.bottom) * source.wordsPerRow + (x - source.left) / 32;
}

/// Where the payload of an active pixel starts, from its mask word (number `word`), the one before,
/// and the sums for it.
uint payloadAt(ApSource source, uint imageWidth, uint word, uint bit, uint mask, uint maskBefore,
               uint index, uint run) {
  uint carry = 0;
  if (word % source.wordsPerRow != 0)
    carry = maskBefore >> 31;
  else if (word > 0 && source.width == imageWidth)  // runs go on across rows
    carry = maskBefore >> ((source.width - 1) & 31u) & 1u;
  const uint starts = mask & ~(mask << 1 | carry);
  const uint upTo = ~0u >> (31 - bit);
  return pairAt(run + uint(bitCount(starts & upTo)), index + uint(bitCount(mask & (upTo >> 1))));
}
