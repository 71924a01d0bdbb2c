// SPDX-License-Identifier: BSD-3-Clause
// A fixed amount of work, half arithmetic and half scattered reads, like typical passes. The time that
// it takes on a software renderer shows how fast the machine is at the moment.
//
//   for each invocation: params.rounds times: read a random sample, compute
// Reads samples, writes results. Deterministic: the addresses come from the invocation's index.
#include "shaders/bench/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = PACE_SIZE) in;

layout(std430, binding = PACE_BIND_SAMPLES) restrict readonly buffer Samples { vec4 samples[]; };
layout(std430, binding = PACE_BIND_RESULTS) restrict writeonly buffer Results { vec4 results[]; };
layout(std140, binding = PACE_BIND_PARAMS) uniform Params { PaceParams params; };

void main() {
  const uint index = groupIndex() * PACE_SIZE + gl_LocalInvocationID.x;
  const uint mask = params.sampleCount - 1u, rounds = params.rounds;
  vec4 sum = vec4(0);
  uint at = index;
  for (uint i = 0u; i < rounds; ++i) {
    at = (at * 1664525u + 1013904223u) & mask;
    const vec4 value = samples[at];
    for (uint k = 0u; k < rounds; ++k) sum = sqrt(sum * sum + value * 0.5 + 1.0);
  }
  results[index] = sum;
}
