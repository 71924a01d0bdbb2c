// SPDX-License-Identifier: BSD-3-Clause
// Second step of reduce by key: the first key of each run says where the run begins. One invocation per
// key and one for the end; reads the keys and the scanned heads, writes keys and starts of the runs.
#include "shaders/common/shared.h"
layout(local_size_x = REDUCE_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = REDUCE_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = REDUCE_BIND_RUNS) restrict readonly buffer Runs { uint runs[]; };
layout(std430, binding = REDUCE_BIND_RUN_KEYS) restrict writeonly buffer RunKeys { uint runKeys[]; };
layout(std430, binding = REDUCE_BIND_STARTS) restrict writeonly buffer Starts { uint starts[]; };
layout(std140, binding = REDUCE_BIND_PARAMS) uniform Params { ReduceParams params; };

void main() {
  const uint i = invocationIndex();
  if (i > params.count) return;
  const uint run = runs[i];
  const bool isEnd = i == params.count;
  if (isEnd || runs[i + 1] != run) {
    starts[run] = i;
    if (!isEnd) runKeys[run] = keys[i];
  }
}
