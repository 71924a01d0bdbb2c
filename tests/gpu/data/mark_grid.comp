// SPDX-License-Identifier: BSD-3-Clause
// Every invocation of a grid of width x height adds one at its place.
#include "shaders/common/invocation.glsl"
layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 0) buffer Marks { uint marks[]; };
layout(std140, binding = 0) uniform Params { uint width; uint height; };

void main() {
  const uvec2 at = gridInvocation();
  if (at.x < width && at.y < height) atomicAdd(marks[at.y * width + at.x], 1u);
}
