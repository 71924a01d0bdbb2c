// SPDX-License-Identifier: BSD-3-Clause
// How much a part of the histogram holds: invocation i adds up the counts N of buckets i,
// i + invocations, ... Against what trajectories meant to add, it tells what direct accumulation
// lost.
#include "shaders/common/invocation.glsl"
#include "shaders/flame/shared.h"

layout(local_size_x = FLAME_SUM_SIZE) in;

layout(std140, binding = FLAME_BIND_ITERATE) uniform Params { SumParams params; };
layout(std430, binding = FLAME_BIND_POINTS) restrict writeonly buffer Sums { uint sums[]; };
layout(std430, binding = FLAME_BIND_HISTOGRAM) restrict readonly buffer Part { uint words[]; };

void main() {
  uint index = invocationIndex();
  if (index >= params.invocations) return;
  uint sum = 0u;
  for (uint i = index; i < params.buckets; i += params.invocations)
    sum += words[i * params.words + 3u];
  sums[index] = sum;
}
