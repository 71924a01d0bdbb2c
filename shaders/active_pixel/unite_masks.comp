// SPDX-License-Identifier: BSD-3-Clause
// The union of the active pixels of two images. One invocation per mask word of the
// result; reads two words of each image, whose regions may begin anywhere. Deterministic.
#include "shaders/active_pixel/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_MASKS) restrict writeonly buffer Masks { uint masks[]; };
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
uint joined(uint low, uint high, int shift) {
  return shift == 0 ? low : low >> shift | high << (32 - shift);
}

void main() {
  const uint word = invocationIndex();
  if (word >= target.wordCount) return;
  const uint row = word / target.wordsPerRow;
  const int x = int(target.left + (word - row * target.wordsPerRow) * 32);
  const uint y = target.bottom + row;
  const int inFront = x - int(front.left), inBack = x - int(back.left);
  masks[word] = joined(frontWord(maskIndexAt(front, inFront, y)),
                       frontWord(maskIndexAt(front, inFront + 32, y)), inFront & 31) |
                joined(backWord(maskIndexAt(back, inBack, y)),
                       backWord(maskIndexAt(back, inBack + 32, y)), inBack & 31);
}
