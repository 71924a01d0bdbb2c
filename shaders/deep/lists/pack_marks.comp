// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel in raster order marks pixels that have fragments, and those where a run of
// such pixels begins: the active pixels of Lipinski et al. 2021 carried over to lists. Runs end with
// their row, so that any rows can be taken out of the whole. Both marks are then summed.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_PARAMS) uniform Params { DeepParams params; };
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint rasterOffsets[]; };
layout(std430, binding = DEEP_BIND_PACK_PIXELS) restrict writeonly buffer Pixels { uint pixels[]; };
layout(std430, binding = DEEP_BIND_PACK_STARTS) restrict writeonly buffer Starts { uint starts[]; };

void main() {
  uint i = invocationIndex();
  if (i >= params.width * params.height) return;
  uint first = rasterOffsets[i];
  bool covered = rasterOffsets[i + 1u] > first;
  bool goesOn = i % params.width != 0u && first > rasterOffsets[i - min(i, 1u)];
  pixels[i] = covered ? 1u : 0u;
  starts[i] = covered && !goesOn ? 1u : 0u;
}
