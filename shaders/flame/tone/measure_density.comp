// SPDX-License-Identifier: BSD-3-Clause
// How many hits per pixel lie around each bucket, and which kernel follows from it. One invocation
// per four bucket columns and strip of rows; it walks down and keeps the window's row sums, so that
// a bucket is read twice for any window. Reads the words, writes kernels: two 16-bit entries of the
// table per word, 0xffff where flam3 leaves a bucket out. With COUNTS it writes the hits per pixel
// instead. Deterministic: the sums are integers.
#ifndef REACH
#define REACH 2
#endif
#ifndef COUNTS
#define COUNTS 0
#endif
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_WORDS) restrict readonly buffer Words { uint words[]; };
layout(std430, binding = FLAME_TONE_BIND_TABLE) restrict readonly buffer Table { uint table[]; };
#if COUNTS
layout(std430, binding = FLAME_TONE_BIND_COUNTS) restrict writeonly buffer Counts {
  float counts[];
};
#else
layout(std430, binding = FLAME_TONE_BIND_KERNELS) restrict writeonly buffer Kernels {
  uint kernels[];
};
#endif

/// Keeps the sum of a window below 2^32; far beyond the last kernel of any table in use.
#define MAX_HITS 50000000u

/// Hits in the windows' columns of row y, for the four columns from x on.
uvec4 rowSums(int x, int y) {
  int row = clamp(y, params.wordsFirst, params.wordsFirst + params.wordsCount - 1);
  uint base = uint(row - params.wordsFirst) * uint(params.buckets.x);
  uint hits[4 + 2 * REACH];
  for (int i = 0; i < 4 + 2 * REACH; ++i) {
    int column = clamp(x + i - REACH, 0, params.buckets.x - 1);
    uint found = min(words[(base + uint(column)) * uint(WORDS) + 3u], MAX_HITS);
    hits[i] = column == x + i - REACH && row == y ? found : 0u;
  }
  uvec4 sums = uvec4(0u);
  for (int i = 0; i <= 2 * REACH; ++i) sums += uvec4(hits[i], hits[i + 1], hits[i + 2], hits[i + 3]);
  return sums;
}

#if !COUNTS
uint entryFor(float count, int x, int y, int margin) {
  bool isLeftOut = x < margin || x >= params.buckets.x - margin || y < margin || count == 0.0;
  uint entry = table[kernelFor(count)];
  return isLeftOut ? NO_KERNEL : entry;
}
#endif

void main() {
  int x = 4 * int(gl_GlobalInvocationID.x);
  if (x >= 2 * params.pitch) return;
  int first = params.kernelsFirst + params.stripRows * int(gl_WorkGroupID.y);
  int last = min(first + params.stripRows, params.kernelsFirst + params.kernelsCount);
  int margin = max(0, params.supersample - 1);

  uvec4 ring[2 * REACH + 1];
  for (int i = 0; i <= 2 * REACH; ++i) ring[i] = uvec4(0u);
  uvec4 window = uvec4(0u);
  for (int y = first - REACH; y < last + REACH; ++y) {
    uvec4 sums = rowSums(x, y);
    window += sums - ring[0];
    for (int i = 0; i < 2 * REACH; ++i) ring[i] = ring[i + 1];
    ring[2 * REACH] = sums;
    int center = y - REACH;
    if (center < first) continue;

    vec4 count = vec4(window) * params.windowScale;
#if COUNTS
    uint at = uint(center - params.kernelsFirst) * uint(params.buckets.x) + uint(x);
    for (int i = 0; i < 4; ++i)
      if (x + i < params.buckets.x) counts[at + uint(i)] = count[i];
#else
    uint at = uint(center - params.kernelsFirst) * uint(params.pitch) + uint(x / 2);
    kernels[at] = entryFor(count.x, x, center, margin) | entryFor(count.y, x + 1, center, margin) << 16;
    kernels[at + 1u] =
        entryFor(count.z, x + 2, center, margin) | entryFor(count.w, x + 3, center, margin) << 16;
#endif
  }
}
