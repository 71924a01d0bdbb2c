// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot notes lists beyond LONGEST for sort_long_lists.comp: order[2 i] the slot,
// order[2 i + 1] where its scratch range starts, in fragments. summary.longLists and longFragments are
// cleared before and count up again here. Their order is arbitrary and does not reach the result.
#ifndef LONGEST
#define LONGEST DEEP_LONGEST
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
layout(std430, binding = DEEP_BIND_ORDER) restrict writeonly buffer Order { uint order[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint n = listCount(0, slot);
  if (n <= LONGEST) return;
  uint i = atomicAdd(summary.longLists, 1u);
  order[2u * i] = slot;
  order[2u * i + 1u] = atomicAdd(summary.longFragments, n);
}
