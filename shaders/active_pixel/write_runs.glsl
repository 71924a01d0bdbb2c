// SPDX-License-Identifier: BSD-3-Clause
// The frame of the passes that write payloads: finds for each active pixel its word, and notes for
// each run what comes before it. One work group per AP_SIZE mask words; reads masks and prefix sums,
// writes gaps, indices and what the including file's writePayload(at, x, y) writes: the payload of
// region pixel (x, y) from word `at` on. Deterministic: every word has one writer.
//
//   AP_SPREAD 0: one invocation per mask word; walks from active pixel to active pixel
//   AP_SPREAD 1: invocations side by side take pixels side by side
#include "shaders/common/invocation.glsl"
#ifndef AP_SPREAD
#define AP_SPREAD 0
#endif

layout(std430, binding = AP_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_PREFIX) restrict readonly buffer Prefix { uint prefix[]; };
layout(std430, binding = AP_BIND_GAPS) restrict writeonly buffer Gaps { uint gaps[]; };
layout(std430, binding = AP_BIND_INDICES) restrict writeonly buffer Indices { uint indices[]; };
#include "shaders/active_pixel/grid.glsl"

struct MaskWord {
  uint mask, starts;
  uint row, x;      // of its first pixel, in the region
  uint index, run;  // active pixels and starts of runs before it
};

MaskWord loadWord(uint word) {
  MaskWord w;
  w.row = word / target.wordsPerRow;
  const uint column = word - w.row * target.wordsPerRow;
  w.x = 32 * column;
  w.mask = masks[word];
  w.starts = startsOf(w.mask, carryInto(word, column));
  w.index = prefix[word];
  w.run = prefix[target.wordCount + word] - prefix[target.wordCount];
  const uint first = pairAt(w.run, w.index);
  const uint written = uint(bitCount(w.mask)) * AP_PAYLOAD + 2 * uint(bitCount(w.starts));
  if (!isShown(first, first + written)) {  // another window's work
    w.mask = 0;
    w.starts = 0;
  }
  return w;
}

/// The run that starts at bit `bit`.
void noteStart(MaskWord w, uint bit) {
  const uint below = (1u << bit) - 1u;
  const uint index = w.index + uint(bitCount(w.mask & below));
  const uint run = w.run + uint(bitCount(w.starts & below));
  const uint pixel = (target.bottom + w.row) * target.tileWidth + target.left + w.x + bit;
  gaps[run] = pixel - index;
  indices[run] = index;
}

#if AP_SPREAD
shared uint wordMasks[AP_SIZE];
shared uint wordStarts[AP_SIZE];
shared uint wordFirsts[AP_SIZE];  // the word at which its first payload or pair goes

void writeRuns() {
  const uint lane = gl_LocalInvocationID.x;
  const uint groupFirst = groupIndex() * AP_SIZE;
  MaskWord own = MaskWord(0, 0, 0, 0, 0, 0);
  if (groupFirst + lane < target.wordCount) own = loadWord(groupFirst + lane);
  wordMasks[lane] = own.mask;
  wordStarts[lane] = own.starts;
  wordFirsts[lane] = pairAt(own.run, own.index);
  for (uint left = own.starts; left != 0; left &= left - 1) noteStart(own, findLSB(left));
  barrier();

  const uint bit = lane & 31u, upTo = ~0u >> (31 - bit);
  for (uint r = 0; r < target.rounds; ++r) {
    const uint local = r * AP_STEP + (lane >> 5);
    const uint mask = wordMasks[local];
    if ((mask >> bit & 1u) == 0) continue;
    const uint before = uint(bitCount(mask & (upTo >> 1)));
    const uint started = uint(bitCount(wordStarts[local] & upTo));
    const uint word = groupFirst + local, row = word / target.wordsPerRow;
    writePayload(wordFirsts[local] + before * AP_PAYLOAD + 2 * started,
                 (word - row * target.wordsPerRow) * 32 + bit, row);
  }
}
#else
void writeRuns() {
  const uint word = invocationIndex();
  if (word >= target.wordCount) return;
  const MaskWord w = loadWord(word);
  for (uint left = w.starts; left != 0; left &= left - 1) noteStart(w, findLSB(left));
  uint at = pairAt(w.run, w.index);
  for (uint left = w.mask; left != 0; left &= left - 1) {
    const uint bit = findLSB(left);
    at += 2 * (w.starts >> bit & 1u);
    writePayload(at, w.x + bit, w.row);
    at += AP_PAYLOAD;
  }
}
#endif
