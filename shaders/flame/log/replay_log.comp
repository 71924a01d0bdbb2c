// SPDX-License-Identifier: BSD-3-Clause
// Adds the hits of a sorted log to a part of the histogram, where invocations are lanes of a CPU: one
// invocation per stretch of FLAME_STRETCH entries adds them straight to the histogram. Buckets of the
// first and the last digit of a stretch may be another's too and take atomics; all others are its own.
// Reads the log, writes the part. Deterministic: sums of whole numbers.
#include "shaders/flame/shared.h"
#ifndef FLAME_REPLAY_SIZE
#define FLAME_REPLAY_SIZE 8
#endif
layout(local_size_x = FLAME_REPLAY_SIZE) in;
#include "shaders/common/invocation.glsl"
#include "shaders/flame/log/replay.glsl"

void addAlone(uint word, uvec4 amounts, uint count) {
  if (words[word + 3u] >= FLAME_FULL) return;
  words[word] += amounts.x;
  words[word + 1u] += amounts.y;
  words[word + 2u] += amounts.z;
  words[word + 3u] += count;
#if FLAME_ALPHA
  words[word + 4u] += amounts.w;
#endif
}

void addAtomically(uint word, uvec4 amounts, uint count) {
  if (words[word + 3u] >= FLAME_FULL) return;  // race: an older count lets a few more in
  atomicAdd(words[word], amounts.x);
  atomicAdd(words[word + 1u], amounts.y);
  atomicAdd(words[word + 2u], amounts.z);
  atomicAdd(words[word + 3u], count);
#if FLAME_ALPHA
  atomicAdd(words[word + 4u], amounts.w);
#endif
}

void main() {
  const uint first = invocationIndex() * FLAME_STRETCH;
  if (first >= keptCount) return;
  const uint last = min(first + FLAME_STRETCH, keptCount);
  const uint firstDigit = bucketOf(first) >> params.sortedFrom;
  const uint lastDigit = bucketOf(last - 1u) >> params.sortedFrom;
  const uint endBucket = params.firstBucket + params.bucketCount;
  const bool meetsPart = firstDigit << params.sortedFrom < endBucket &&
                         lastDigit >= params.firstBucket >> params.sortedFrom;
  if (!meetsPart) return;
  for (uint i = first; i < last; ++i) {
    const uint bucket = bucketOf(i);
    const uint at = bucket - params.firstBucket;
    if (at < params.bucketCount) {
      const uvec4 amounts = amountsOf(i);
      const uint digit = bucket >> params.sortedFrom;
      if (digit == firstDigit || digit == lastDigit)
        addAtomically(at * FLAME_WORDS, amounts, countOf(i));
      else
        addAlone(at * FLAME_WORDS, amounts, countOf(i));
    }
  }
}
