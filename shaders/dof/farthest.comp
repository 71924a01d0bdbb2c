// SPDX-License-Identifier: BSD-3-Clause
// How far one sees around a place: the least 1/z of the sharp picture (0: background) in the window
// that any lens of this reach may show through the place, per block of DOF_BLOCK^2 pixels. A minimum
// over a square is one over rows, then over columns; one invocation per block.
//
//   STEP 0  of the pixels of the block itself, from the picture
//   STEP 1  of params.choice blocks to both sides in the row, from the last step
//   STEP 2  in the column
//
// Integers decide, and min does not depend on order: deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
#ifndef STEP
#define STEP 0
#endif
layout(local_size_x = 8, local_size_y = 8) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D before;
layout(binding = DOF_IMAGE_RESULT, r32f) uniform restrict writeonly image2D result;

#if STEP == 0
float farthestAt(ivec2 block) {
  ivec2 first = block * DOF_BLOCK, last = min(first + DOF_BLOCK, textureSize(before, 0)) - 1;
  float farthest = 3.0e38;
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      float z = texelFetch(before, ivec2(x, y), 0).a;
      farthest = min(farthest, z > 0.0 && z <= 1e9 ? 1.0 / z : 0.0);
    }
  return farthest;
}
#else
float farthestAt(ivec2 block) {
  ivec2 end = textureSize(before, 0) - 1;
  ivec2 step_ = STEP == 1 ? ivec2(1, 0) : ivec2(0, 1);
  int reach = int(params.choice);
  float farthest = 3.0e38;
  for (int i = -reach; i <= reach; ++i)
    farthest = min(farthest, texelFetch(before, clamp(block + i * step_, ivec2(0), end), 0).r);
  return farthest;
}
#endif

void main() {
  ivec2 block = ivec2(gridInvocation());
  if (all(lessThan(block, imageSize(result))))
    imageStore(result, block, vec4(farthestAt(block), 0.0, 0.0, 0.0));
}
