// SPDX-License-Identifier: BSD-3-Clause
// Writes the pair (inactive, active) before each run, and the one that ends an image whose last
// pixel is not active. One invocation per run; reads gaps and indices, dispatched indirectly by
// write_header. Deterministic.
#include "shaders/active_pixel/payload.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_PAIRS_SIZE) in;

layout(std430, binding = AP_BIND_GAPS) restrict readonly buffer Gaps { uint gaps[]; };
layout(std430, binding = AP_BIND_INDICES) restrict readonly buffer Indices { uint indices[]; };
layout(std430, binding = AP_BIND_FACTS) restrict readonly buffer Facts { ApFacts facts; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/words.glsl"

void main() {
  const uint run = invocationIndex();
  const uint runCount = facts.runCount, activeCount = facts.activeCount;
  if (run >= runCount) return;
  const bool isLast = run + 1 == runCount;
  const uint gap = gaps[run], index = indices[run];
  const uint gapBefore = run > 0 ? gaps[run - 1] : 0;
  const uint end = isLast ? activeCount : indices[run + 1];
  const uint at = pairAt(run, index);
  put(at, gap - gapBefore);
  put(at + 1, end - index);
  if (isLast && facts.trailing != 0) {
    const uint ending = pairAt(runCount, activeCount);
    put(ending, target.pixelCount - activeCount - gap);
    put(ending + 1, 0);
  }
}
