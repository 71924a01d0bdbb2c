// SPDX-License-Identifier: BSD-3-Clause
// First step of reduce by key: where runs of equal keys begin. One invocation per key; reads the
// keys, writes 1 for the first of each run, 0 for the others.
#include "shaders/common/shared.h"
layout(local_size_x = REDUCE_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = REDUCE_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = REDUCE_BIND_RUNS) restrict writeonly buffer Runs { uint heads[]; };
layout(std140, binding = REDUCE_BIND_PARAMS) uniform Params { ReduceParams params; };

void main() {
  const uint i = invocationIndex();
  if (i < params.count) heads[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
}
