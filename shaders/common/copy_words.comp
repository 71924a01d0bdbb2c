// SPDX-License-Identifier: BSD-3-Clause
// Copies rows of four words, one per invocation: the bandwidth of the device's memory, to which the
// benchmarks are compared.
#include "shaders/common/shared.h"
layout(local_size_x = COPY_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = COPY_BIND_FROM) restrict readonly buffer From { uvec4 source[]; };
layout(std430, binding = COPY_BIND_TO) restrict writeonly buffer To { uvec4 target[]; };
layout(std140, binding = COPY_BIND_PARAMS) uniform Params { CopyParams params; };

void main() {
  const uint i = invocationIndex();
  if (i < params.count) target[i] = source[i];
}
