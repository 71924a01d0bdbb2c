// SPDX-License-Identifier: BSD-3-Clause
// The union of the active pixels of two images, and how many runs they make. Reads two words of each
// image, whose regions may begin anywhere; writes masks and totals of units. One invocation
// per unit (AP_SPREAD 0), or one work group per unit (1). Deterministic.
#include "shaders/active_pixel/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_FRONT_MASKS) restrict readonly buffer Front { uint frontMasks[]; };
layout(std430, binding = AP_BIND_BACK_MASKS) restrict readonly buffer Back { uint backMasks[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params {
  ApParams target;
  ApSource front, back;
};

/// Number of the mask word that holds the pixel `x` columns right of the region's left edge; -1:
/// none does.
int maskIndexAt(ApSource source, int x, uint y) {
  const uint row = y - source.bottom;
  const int column = x >> 5;  // rounds down, left of the region too
  if (row >= source.height || column < 0 || column >= int(source.wordsPerRow)) return -1;
  return int(row * source.wordsPerRow) + column;
}

uint frontWord(int index) { return index < 0 ? 0 : frontMasks[index]; }
uint backWord(int index) { return index < 0 ? 0 : backMasks[index]; }

/// 32 bits from bit `shift` of two words on.
uint joinedBits(uint low, uint high, int shift) {
  return shift == 0 ? low : low >> shift | high << (32 - shift);
}

uint maskOf(uint row, uint column) {
  const int x = int(target.left + column * 32);
  const uint y = target.bottom + row;
  const int inFront = x - int(front.left), inBack = x - int(back.left);
  return joinedBits(frontWord(maskIndexAt(front, inFront, y)),
                    frontWord(maskIndexAt(front, inFront + 32, y)), inFront & 31) |
         joinedBits(backWord(maskIndexAt(back, inBack, y)),
                    backWord(maskIndexAt(back, inBack + 32, y)), inBack & 31);
}
bool isActiveAt(uint row, uint x) { return (maskOf(row, x / 32) >> (x & 31u) & 1u) != 0; }

#include "shaders/active_pixel/mark_units.glsl"

void main() {
#if AP_SPREAD
  const uint word = groupIndex() * AP_SIZE + gl_LocalInvocationID.x;
  const uint row = word / target.wordsPerRow;
  markUnit(word, word < target.wordCount ? maskOf(row, word - row * target.wordsPerRow) : 0);
#else
  markUnit(invocationIndex());
#endif
}
