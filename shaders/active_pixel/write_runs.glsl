// SPDX-License-Identifier: BSD-3-Clause
// The frame of the passes that write payloads: finds for each active pixel its word, and writes the
// pairs. Reads masks and the sums before each unit; writes the sums before each mask word, pairs, and
// what the including file's writePayload(at, x, y) writes: the payload of region pixel (x, y) from
// word `at` on. Every start of a run completes the pair of the run before. Deterministic: every word
// has one writer.
//
//   AP_SPREAD 0: one invocation per mask word; walks from active pixel to active pixel
//   AP_SPREAD 1: one work group per unit; invocations side by side take pixels side by side
#include "shaders/active_pixel/units.glsl"
#include "shaders/common/invocation.glsl"

layout(std430, binding = AP_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_PREFIX) restrict writeonly buffer Prefix { uint prefix[]; };
layout(std430, binding = AP_BIND_UNITS) restrict readonly buffer Units { uvec4 units[]; };
#include "shaders/active_pixel/grid.glsl"

uint pixelAt(uint row, uint x) {
  return (target.bottom + row) * target.tileWidth + target.left + x;
}
/// The second half of the pair before the last run that `sums` has seen.
void endRun(uvec4 sums) { put(pairAt(sums.y - 1, sums.z) + 1, sums.x - sums.z); }

/// A run starts behind what `sums` has seen.
uvec4 startRun(uvec4 sums, uint pixel) {
  uint gap = pixel - sums.x;  // pixels that are not active, from the image's first on
  if (sums.y > 0) {
    endRun(sums);
    gap -= sums.w - sums.z;  // those before the run before
  }
  put(pairAt(sums.y, sums.x), gap);
  return uvec4(sums.x, sums.y + 1, sums.x, pixel);
}

/// Of the image's last word: `sums` has seen all.
void endImage(uvec4 sums, uint lastMask) {
  prefix[2 * target.wordCount] = sums.x + sums.y;
  if (sums.y == 0) return;
  endRun(sums);
  const bool reachesEnd = target.left + target.width == target.tileWidth &&
                          target.bottom + target.height == target.tileHeight;
  if (reachesEnd && (lastMask >> ((target.width - 1) & 31u) & 1u) != 0) return;
  const uint ending = pairAt(sums.y, sums.x);
  put(ending, target.pixelCount - sums.x - (sums.w - sums.z));
  put(ending + 1, 0);
}

void writePrefix(uint word, uvec4 sums, uint total) {
  prefix[word] = sums.x;
  prefix[target.wordCount + word] = total + sums.y;
}

#if AP_SPREAD
shared uint wordMasks[AP_SIZE];
shared uint wordStarts[AP_SIZE];
shared uint wordFirsts[AP_SIZE];  // the word at which its first payload or pair goes
shared uvec4 wordSums[2][AP_SIZE];

/// The totals of the group's words before each invocation's own one.
uvec4 sumsBefore(uint lane, uvec4 own) {
  uint side = 0;
  wordSums[0][lane] = own;
  barrier();
  for (uint stride = 1; stride < AP_SIZE; stride *= 2) {
    uvec4 sum = wordSums[side][lane];
    if (lane >= stride) sum = joined(wordSums[side][lane - stride], sum);
    side = 1 - side;
    wordSums[side][lane] = sum;
    barrier();
  }
  return lane > 0 ? wordSums[side][lane - 1] : uvec4(0);
}

void writeRuns() {
  const uint lane = gl_LocalInvocationID.x, unit = groupIndex();
  if (unit >= target.unitCount) return;
  const uint word = unit * AP_SIZE + lane, row = word / target.wordsPerRow;
  const uint column = word - row * target.wordsPerRow;
  const bool inside = word < target.wordCount;
  const uint mask = inside ? masks[word] : 0;
  const uint starts = inside ? startsOf(mask, carryInto(word, column)) : 0;
  const uvec4 own = extended(uvec4(0), mask, starts, pixelAt(row, 32 * column));
  const uvec4 first = joined(units[target.unitCount + unit], sumsBefore(lane, own));
  if (inside) writePrefix(word, first, units[2 * target.unitCount].x);
  uvec4 sums = first;
  for (uint left = starts; left != 0; left &= left - 1) {
    const uint bit = findLSB(left);
    sums.x = first.x + uint(bitCount(mask & ((1u << bit) - 1u)));
    sums = startRun(sums, pixelAt(row, 32 * column + bit));
  }
  sums.x = first.x + uint(bitCount(mask));
  if (word + 1 == target.wordCount) endImage(sums, mask);
  wordMasks[lane] = mask;
  wordStarts[lane] = starts;
  wordFirsts[lane] = pairAt(first.y, first.x);
  barrier();

  const uint bit = lane & 31u, upTo = ~0u >> (31 - bit);
  for (uint r = 0; r < 32; ++r) {
    const uint local = r * AP_STEP + (lane >> 5);
    const uint seen = wordMasks[local];
    if ((seen >> bit & 1u) == 0) continue;
    const uint before = uint(bitCount(seen & (upTo >> 1)));
    const uint started = uint(bitCount(wordStarts[local] & upTo));
    const uint at = unit * AP_SIZE + local, y = at / target.wordsPerRow;
    writePayload(wordFirsts[local] + before * AP_PAYLOAD + 2 * started,
                 (at - y * target.wordsPerRow) * 32 + bit, y);
  }
}
#else
/// The pairs of the runs that start in a word, then its payloads: a loop for each, so that
/// invocations side by side do the same.
void writeWord(uvec4 sums, uint mask, uint starts, uint row, uint x) {
  uint at = pairAt(sums.y, sums.x);
  const uint index = sums.x;
  for (uint left = starts; left != 0; left &= left - 1) {
    const uint bit = findLSB(left);
    sums.x = index + uint(bitCount(mask & ((1u << bit) - 1u)));
    sums = startRun(sums, pixelAt(row, x + bit));
  }
  for (uint left = mask; left != 0; left &= left - 1) {
    const uint bit = findLSB(left);
    at += 2 * (starts >> bit & 1u);
    writePayload(at, x + bit, row);
    at += AP_PAYLOAD;
  }
}

/// What comes before a mask word: before its unit, and in the unit before it.
uvec4 sumsOf(uint word) {
  const uint unit = word / AP_UNIT_ALONE, first = unit * AP_UNIT_ALONE;
  uvec4 sums = units[target.unitCount + unit];
  uint row = first / target.wordsPerRow, column = first - row * target.wordsPerRow;
  for (uint before = first; before < word; ++before) {
    const uint mask = masks[before];
    sums = extended(sums, mask, startsOf(mask, carryInto(before, column)),
                    pixelAt(row, 32 * column));
    if (++column == target.wordsPerRow) {
      column = 0;
      ++row;
    }
  }
  return sums;
}

void writeRuns() {
  const uint word = invocationIndex();
  if (word >= target.wordCount) return;
  const uint row = word / target.wordsPerRow, column = word - row * target.wordsPerRow;
  const uvec4 sums = sumsOf(word);
  const uint mask = masks[word], starts = startsOf(mask, carryInto(word, column));
  const uvec4 behind = extended(sums, mask, starts, pixelAt(row, 32 * column));
  writePrefix(word, sums, units[2 * target.unitCount].x);
  // A run's start completes the pair before it, which may lie in another window.
  if (isShown(sums.y > 0 ? pairAt(sums.y - 1, sums.z) : 7u, pairAt(behind.y, behind.x)))
    writeWord(sums, mask, starts, row, 32 * column);
  if (word + 1 == target.wordCount) endImage(behind, mask);
}
#endif
