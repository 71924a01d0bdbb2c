// SPDX-License-Identifier: BSD-3-Clause
// Tables of a merged deep image, before its fragments: one invocation per group of 32 slots. Counts add,
// and so do offsets, because a prefix sum is linear (inclusive tables as well): no scan is needed. The
// group minimum is taken anew (RIA: ranks by rank_lists.comp). Linked lists get counts only. Reads the
// tables of list 0 and 1, writes those of list 2; with POOLED the inputs are params.count images that
// share list 0, and list 1 is written.
#ifndef POOLED
#define POOLED 0
#endif
#if POOLED
#define LISTS 2
#else
#define LISTS 3
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

#if POOLED
layout(std140, binding = DEEP_BIND_SOURCES) uniform Sources { DeepSources sources; };
#endif
const int kOut = LISTS - 1;

uint tableSum(uint p) {
#if POOLED
  uint sum = 0u;
  for (uint i = 0u; i < params.count; ++i) sum += table[0].items[sources.bases[i].x + p];
  return sum;
#else
  return table[0].items[p] + table[1].items[p];
#endif
}

#if LAYOUT != DEEP_LAYOUT_LA
uint countSum(uint p) {
#if POOLED
  uint sum = 0u;
  for (uint i = 0u; i < params.count; ++i) sum += counts[0].items[sources.bases[i].y + p];
  return sum;
#else
  return counts[0].items[p] + counts[1].items[p];
#endif
}
#endif

void main() {
  uint group = invocationIndex();
  if (group >= params.slotCount / DEEP_GROUP) return;
  uint first = group * DEEP_GROUP;

#if LAYOUT != DEEP_LAYOUT_LL
  // The last group also writes the total at the table's end.
  uint past = first + DEEP_GROUP == params.slotCount ? 1u : 0u;
  for (uint p = first; p < first + DEEP_GROUP + past; ++p) table[kOut].items[p] = tableSum(p);
#endif
#if LAYOUT != DEEP_LAYOUT_LA
  uint minCount = 0xFFFFFFFFu;
  for (uint p = first; p < first + DEEP_GROUP; ++p) {
    uint sum = countSum(p);
    counts[kOut].items[p] = sum;
    minCount = min(minCount, sum);
  }
#if LAYOUT != DEEP_LAYOUT_LL && LAYOUT != DEEP_LAYOUT_RIA
  extra[kOut].items[group] = minCount / INTERLEAVE * INTERLEAVE;
#endif
#endif
}
