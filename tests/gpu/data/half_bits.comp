// SPDX-License-Identifier: BSD-3-Clause
// The half of every float.
#include "shaders/common/half.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Floats { uint floats[]; };
layout(std430, binding = 1) writeonly buffer Halves { uint halves[]; };

void main() {
  const uint i = invocationIndex();
  if (i < uint(halves.length())) halves[i] = packHalves(vec2(0.0, uintBitsToFloat(floats[i]))) >> 16;
}
