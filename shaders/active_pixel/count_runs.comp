// SPDX-License-Identifier: BSD-3-Clause
// Counts the active pixels and the runs that start in each mask word. One invocation per word;
// reads the masks, writes the two halves of what the prefix sum then runs over. Deterministic.
#include "shaders/active_pixel/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_PREFIX) restrict writeonly buffer Counts { uint counts[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/grid.glsl"

void main() {
  const uint word = invocationIndex();
  if (word >= target.wordCount) return;
  const uint mask = masks[word];
  const uint starts = startsOf(mask, carryInto(word, word % target.wordsPerRow));
  counts[word] = uint(bitCount(mask));
  counts[target.wordCount + word] = uint(bitCount(starts));
}
