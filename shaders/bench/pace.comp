// SPDX-License-Identifier: BSD-3-Clause
// A fixed piece of work, half arithmetic and half reading here and there, as passes are: what it
// takes on a software renderer says how fast the machine is at the moment.
//
//   for each invocation: params.rounds times: read a word, compute
#include "shaders/bench/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = PACE_SIZE) in;

layout(std430, binding = PACE_BIND_WORDS) restrict readonly buffer Words { vec4 words[]; };
layout(std430, binding = PACE_BIND_FOUND) restrict writeonly buffer Found { vec4 found[]; };
layout(std140, binding = PACE_BIND_PARAMS) uniform Params { PaceParams params; };

void main() {
  const uint index = groupIndex() * PACE_SIZE + gl_LocalInvocationID.x;
  const uint mask = params.wordCount - 1u, rounds = params.rounds;
  vec4 sum = vec4(0);
  uint at = index;
  for (uint i = 0u; i < rounds; ++i) {
    at = (at * 1664525u + 1013904223u) & mask;
    const vec4 word = words[at];
    for (uint k = 0u; k < rounds; ++k) sum = sqrt(sum * sum + word * 0.5 + 1.0);
  }
  found[index] = sum;
}
