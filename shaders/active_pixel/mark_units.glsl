// SPDX-License-Identifier: BSD-3-Clause
// The frame of the passes that find out which pixels are active: writes their masks and the totals of
// each unit. The including file has `target` and
//   AP_SPREAD 0:  uint maskOf(uint row, uint column)   the mask word; one invocation for each unit
//   AP_SPREAD 1:  one work group for each unit, whose invocations have found their mask words
// and bool isActiveAt(uint row, uint x): of a pixel of the region.
#include "shaders/active_pixel/units.glsl"

layout(std430, binding = AP_BIND_MASKS) restrict writeonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_UNITS) restrict writeonly buffer Units { uvec4 units[]; };

/// 1 when the pixel before a mask word is active: the one beside it, or the last of the row below
/// where the region spans whole rows of the image.
uint carryBefore(uint row, uint column) {
  if (column > 0) return isActiveAt(row, 32 * column - 1) ? 1 : 0;
  if (row == 0 || target.width != target.tileWidth) return 0;
  return isActiveAt(row - 1, target.width - 1) ? 1 : 0;
}
/// The same of the word behind one of this mask.
uint carryBehind(uint mask, uint nextColumn) {
  if (nextColumn > 0) return mask >> 31;
  return target.width == target.tileWidth ? mask >> ((target.width - 1) & 31u) & 1u : 0;
}
uint pixelAt(uint row, uint column) {
  return (target.bottom + row) * target.tileWidth + target.left + 32 * column;
}

#if AP_SPREAD
shared uint unitMasks[AP_SIZE];
shared uvec4 unitTotals[AP_SIZE];

/// Called by the whole group: each invocation has the mask of word `word`, 0 beyond the last one.
void markUnit(uint word, uint mask) {
  const uint lane = gl_LocalInvocationID.x, row = word / target.wordsPerRow;
  const uint column = word - row * target.wordsPerRow;
  const bool inside = word < target.wordCount;
  unitMasks[lane] = mask;
  barrier();
  uint carry = 0;
  if (inside) {
    masks[word] = mask;
    carry = lane > 0 ? carryBehind(unitMasks[lane - 1], column) : carryBefore(row, column);
  }
  unitTotals[lane] = extended(uvec4(0), mask, mask & ~(mask << 1 | carry), pixelAt(row, column));
  for (uint stride = 1; stride < AP_SIZE; stride *= 2) {
    barrier();
    if (lane % (2 * stride) == 0)
      unitTotals[lane] = joined(unitTotals[lane], unitTotals[lane + stride]);
  }
  if (lane == 0 && inside) units[word / AP_SIZE] = unitTotals[0];
}
#else
void markUnit(uint unit) {
  const uint first = unit * AP_UNIT_ALONE;
  if (first >= target.wordCount) return;
  const uint end = min(first + AP_UNIT_ALONE, target.wordCount);
  const uint wordsPerRow = target.wordsPerRow;
  uint row = first / wordsPerRow, column = first - row * wordsPerRow;
  uint carry = carryBefore(row, column);
  uvec4 totals = uvec4(0);
  for (uint word = first; word < end; ++word) {
    const uint mask = maskOf(row, column);
    masks[word] = mask;
    totals = extended(totals, mask, mask & ~(mask << 1 | carry), pixelAt(row, column));
    if (++column == wordsPerRow) {
      column = 0;
      ++row;
    }
    carry = carryBehind(mask, column);
  }
  units[unit] = totals;
}
#endif
