// SPDX-License-Identifier: BSD-3-Clause
// Last step of reduce by key: the sum of each run. One invocation per run, dispatched for as many runs as
// there may be; reads the starts of the runs and the prefix sums of the values, writes the sums. Deterministic: integers,
// modulo 2^32.
//
// REDUCE_VALUES 0: there are no values, every key counts 1.
#include "shaders/common/shared.h"
#ifndef REDUCE_VALUES
#define REDUCE_VALUES 0
#endif
layout(local_size_x = REDUCE_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = REDUCE_BIND_RUNS) restrict readonly buffer Runs { uint runs[]; };
layout(std430, binding = REDUCE_BIND_STARTS) restrict readonly buffer Starts { uint starts[]; };
#if REDUCE_VALUES
layout(std430, binding = REDUCE_BIND_PREFIX) restrict readonly buffer Prefix { uint prefix[]; };
#endif
layout(std430, binding = REDUCE_BIND_SUMS) restrict writeonly buffer Sums { uint sums[]; };
layout(std140, binding = REDUCE_BIND_PARAMS) uniform Params { ReduceParams params; };

void main() {
  const uint run = invocationIndex();
  const uint runCount = runs[params.count];
  if (run >= runCount) return;
#if REDUCE_VALUES
  sums[run] = prefix[starts[run + 1]] - prefix[starts[run]];
#else
  sums[run] = starts[run + 1] - starts[run];
#endif
}
