// SPDX-License-Identifier: BSD-3-Clause
// Adds the hits of a sorted log to a part of the histogram (after cuburn, whose counters of 16 bits
// are flushed before they overflow; ours are as wide as the histogram's). One work group per window of
// buckets and split of its hits: it finds them in the log by bisection, adds them up in shared memory,
// and adds the sums to the histogram. Reads the log, writes the part. Deterministic: sums of whole
// numbers.
//
//   for each window: for each split: hits first + n * split / splits ...
#include "shaders/flame/shared.h"
#ifndef FLAME_REPLAY_SIZE
#define FLAME_REPLAY_SIZE 8
#endif
layout(local_size_x = FLAME_REPLAY_SIZE) in;
#include "shaders/common/invocation.glsl"
#include "shaders/flame/log/log.glsl"

#if FLAME_ALPHA
#define FLAME_WORDS 8u
#else
#define FLAME_WORDS 4u
#endif

#define FLAME_FULL (FLAME_HITS_FULL * (FLAME_ALPHA != 0 ? 255u : 1u))  // as in accumulate.glsl

layout(std140, binding = FLAME_BIND_REPLAY) uniform Params { ReplayParams params; };
layout(std430, binding = FLAME_BIND_KEPT) restrict readonly buffer Kept { uint keptCount; };
layout(std430, binding = FLAME_BIND_LOG) restrict readonly buffer Log { uint entries[]; };
#if FLAME_LOG_WIDE
layout(std430, binding = FLAME_BIND_LOG_PAYLOADS) restrict readonly buffer Payloads {
  uint payloads[];
};
#endif
layout(std430, binding = FLAME_BIND_REPLAYED) coherent restrict buffer Part { uint words[]; };

uint bucketOf(uint entry) { return entries[entry] & params.bucketMask; }

/// R G B, and with FLAME_ALPHA A; N comes from countOf().
uvec4 amountsOf(uint entry) {
#if FLAME_LOG_WIDE && !FLAME_ALPHA
  const uint payload = payloads[entry];
  return uvec4(payload & 0x3ffu, payload >> 10 & 0x3ffu, payload >> 20, 1u);
#elif FLAME_LOG_FULL
  const uint payload = payloads[entry];
  return uvec4(payload, payload >> 8, payload >> 16, payload >> 24) & 0xffu;
#elif FLAME_LOG_WIDE
  const uint payload = payloads[entry];
  const float fraction = float(payload & 0xffu) * (1.0 / 256.0);
  const float visibility = unpackHalf2x16(payload >> 8 & 0x7fffu).x;
  return uvec4(indexedColor(payload >> 23) * visibility + fraction);
#else
  uint hash = entries[entry] * 0x9e3779b1u;
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  const float fraction = float(hash >> 16) * (1.0 / 65536.0);
  return uvec4(indexedColor(entries[entry] >> 23) + fraction);
#endif
}

uint countOf(uint entry) {
#if FLAME_LOG_FULL && FLAME_ALPHA
  return payloads[entry] >> 24;
#elif FLAME_LOG_WIDE && FLAME_ALPHA
  const uint payload = payloads[entry];
  const float visibility = unpackHalf2x16(payload >> 8 & 0x7fffu).x;
  return uint(255.0 * visibility + float(payload & 0xffu) * (1.0 / 256.0));
#else
  return FLAME_ALPHA != 0 ? 255u : 1u;
#endif
}

#if FLAME_ALPHA
#define SUMS 5u
#define FLAME_WINDOW_BITS FLAME_WINDOW_BITS_ALPHA
#else
#define SUMS 4u
#define FLAME_WINDOW_BITS FLAME_WINDOW_BITS_OPAQUE
#endif
#define FLAME_WINDOW (1u << FLAME_WINDOW_BITS)
shared uint sums[SUMS << FLAME_WINDOW_BITS];  // uint[sum][bucket of the window]

/// The first entry whose sorted bits are `digits` or more.
uint firstEntryFrom(uint digits) {
  uint low = 0u, high = keptCount;
  while (low < high) {
    const uint middle = (low + high) >> 1;
    if (bucketOf(middle) >> params.sortedFrom < digits)
      low = middle + 1u;
    else
      high = middle;
  }
  return low;
}

/// The hits among which those of the window are: entries [x, y), some of other windows between them.
uvec2 entriesOf(uint window) {
  const uint first = window << FLAME_WINDOW_BITS;
  return uvec2(firstEntryFrom(first >> params.sortedFrom),
               firstEntryFrom((first + FLAME_WINDOW - 1u >> params.sortedFrom) + 1u));
}

void addHits(uint window, uint first, uint last) {
  for (uint i = first + gl_LocalInvocationID.x; i < last; i += FLAME_REPLAY_SIZE) {
    const uint at = bucketOf(i) - (window << FLAME_WINDOW_BITS);
    const uint before = at < FLAME_WINDOW ? sums[3u * FLAME_WINDOW + at] : FLAME_FULL;  // race: some more do no harm
    if (before < FLAME_FULL) {
      const uvec4 amounts = amountsOf(i);
      atomicAdd(sums[at], amounts.x);
      atomicAdd(sums[FLAME_WINDOW + at], amounts.y);
      atomicAdd(sums[2u * FLAME_WINDOW + at], amounts.z);
      atomicAdd(sums[3u * FLAME_WINDOW + at], countOf(i));
#if FLAME_ALPHA
      atomicAdd(sums[4u * FLAME_WINDOW + at], amounts.w);
#endif
    }
  }
}

/// Adds what the window holds to its buckets in this part.
void flushSums(uint window) {
  for (uint at = gl_LocalInvocationID.x; at < FLAME_WINDOW; at += FLAME_REPLAY_SIZE) {
    const uint bucket = (window << FLAME_WINDOW_BITS) + at - params.firstBucket;
    if (bucket < params.bucketCount && sums[3u * FLAME_WINDOW + at] != 0u) {
      // Groups of the same window share what room the bucket has.
      uint count = sums[3u * FLAME_WINDOW + at];
      uint full = min(words[bucket * FLAME_WORDS + 3u], FLAME_FULL);  // race: room for all groups is left
      uint room = (FLAME_FULL - full) / params.splits;
      float share = count > room ? float(room) / float(count) : 1.0;
      for (uint i = 0u; i < params.sumCount; ++i) {
        uint sum = sums[i * FLAME_WINDOW + at];
        atomicAdd(words[bucket * FLAME_WORDS + i], count > room ? uint(float(sum) * share) : sum);
      }
    }
  }
}

void main() {
  const uint group = groupIndex();
  const uint window = params.firstWindow + group / params.splits;
  const uint split = group % params.splits;
  const bool inRange = group < params.windowCount * params.splits;
  const uvec2 entries = entriesOf(window);
  const uint count = inRange ? entries.y - entries.x : 0u;
  const uint first = entries.x + count / params.splits * split;
  const uint last = split + 1u == params.splits ? entries.x + count : first + count / params.splits;
  if (first == last) return;  // the same for the whole group

  for (uint i = gl_LocalInvocationID.x; i < SUMS * FLAME_WINDOW; i += FLAME_REPLAY_SIZE) sums[i] = 0u;
  barrier();
  addHits(window, first, last);
  barrier();
  flushSums(window);
}
