// SPDX-License-Identifier: BSD-3-Clause
// Ranks of RIA, from its counts: one invocation per group of 32 lists sorts them by count, longest first,
// and writes extra as in shared.h: ranks, then the starts of last blocks (the address formula of
// lists.glsl). NETWORK: compare-exchanges CX(i, j) that sort 32 keys, with constant
// indices, so that the keys stay in registers (the default sorts two of them and only compiles). Lists of
// one length are ranked by their place: the result is always the same.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/shared.h"
#ifndef LAYOUT
#define LAYOUT DEEP_LAYOUT_RIA
#endif
#include "shaders/deep/lists/lists.glsl"

#ifndef NETWORK
#define NETWORK CX(0, 1)
#endif

layout(local_size_x = DEEP_PASS_SIZE) in;

#define CX(i, j)                         \
  {                                      \
    uint greater = max(key[i], key[j]);  \
    key[j] = min(key[i], key[j]);        \
    key[i] = greater;                    \
  }

void main() {
  uint group = invocationIndex();
  if (group >= params.slotCount / DEEP_GROUP) return;
  uint first = group * DEEP_GROUP;
  uint key[DEEP_GROUP];
  for (uint i = 0u; i < DEEP_GROUP; ++i)
    key[i] = counts[0].items[first + i] << 5 | (DEEP_GROUP - 1u - i);
  NETWORK
  for (uint i = 0u; i < DEEP_GROUP; ++i)
    extra[0].items[first + DEEP_GROUP - 1u - (key[i] & 31u)] = i << DEEP_RANK_SHIFT;
  for (uint i = 0u; i < DEEP_GROUP; ++i) {
    key[i] >>= 5;
    extra[0].items[first + i] |= key[i];
  }

  // Not a constant number of rounds: some compilers would write the sums 32 times.
  uint end = min(first + DEEP_GROUP, params.slotCount);
  for (uint p = first; p < end; ++p) {
    uint count = counts[0].items[p], rank = extra[0].items[p] >> DEEP_RANK_SHIFT, start = 0u;
    uint level = count > 0u ? (count - 1u) / INTERLEAVE * INTERLEAVE : 0u;
    for (uint j = 0u; j < DEEP_GROUP; ++j)
      start += min(key[j], j < rank ? level + INTERLEAVE : level);
    extra[0].items[params.slotCount + p] = start;
  }
}
