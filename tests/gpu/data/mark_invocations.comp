// SPDX-License-Identifier: BSD-3-Clause
// Every invocation adds one at its index and one to the count of all that ran.
#include "shaders/common/invocation.glsl"
#ifndef MARK_SIZE
#define MARK_SIZE 1
#endif
layout(local_size_x = MARK_SIZE) in;

layout(std430, binding = 0) buffer Marks { uint marks[]; };
layout(std430, binding = 1) buffer Ran { uint ran; };
layout(std140, binding = 0) uniform Params { uint count; uint step; };

void main() {
  atomicAdd(ran, 1);
  const uint i = invocationIndex();
  if (i < count) atomicAdd(marks[i], step);
}
