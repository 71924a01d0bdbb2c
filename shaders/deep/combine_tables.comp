// SPDX-License-Identifier: BSD-3-Clause
// Tables of a merged deep image, before its fragments: one invocation per group of 32 slots. Counts add,
// and so do offsets, because a prefix sum is linear (inclusive tables as well): no scan is needed. The
// group minimum is taken anew. Linked lists get counts only. Reads tables of list 0 and 1, writes list 2.
#define LISTS 3
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

void main() {
  uint group = invocationIndex();
  if (group >= params.slotCount / DEEP_GROUP) return;
  uint first = group * DEEP_GROUP;

#if LAYOUT != DEEP_LAYOUT_LL
  // The last group also writes the total at the table's end.
  uint past = first + DEEP_GROUP == params.slotCount ? 1u : 0u;
  for (uint p = first; p < first + DEEP_GROUP + past; ++p)
    table[2].items[p] = table[0].items[p] + table[1].items[p];
#endif
#if LAYOUT != DEEP_LAYOUT_LA
  uint least = 0xFFFFFFFFu;
  for (uint p = first; p < first + DEEP_GROUP; ++p) {
    uint sum = counts[0].items[p] + counts[1].items[p];
    counts[2].items[p] = sum;
    least = min(least, sum);
  }
#if LAYOUT != DEEP_LAYOUT_LL
  extra[2].items[group] = least / INTERLEAVE * INTERLEAVE;
#endif
#endif
}
