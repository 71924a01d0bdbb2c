// SPDX-License-Identifier: BSD-3-Clause
// The width of subgroups on this device. One work group, which writes the width.
#include "shaders/common/ballot.glsl"
#include "shaders/common/shared.h"
layout(local_size_x = 64) in;

layout(std430, binding = SORT_BIND_STARTS) restrict writeonly buffer Width { uint width; };

void main() {
  if (gl_LocalInvocationIndex == 0) width = subgroupWidth();
}
