// SPDX-License-Identifier: BSD-3-Clause
// Step 2 of five (Lipinski et al. 2021, sec. 3): the number of each pixel's run, from 1, as the
// exclusive sum of starts plus its own. One invocation per pixel; in place. Deterministic.
#include "shaders/active_pixel/shared.h"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_NEW) restrict buffer Runs { uint runs[]; };
layout(std430, binding = AP_BIND_RUN_SUMS) restrict readonly buffer Sums { uint sums[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };

void main() {
  const uint pixel = invocationIndex();
  if (pixel >= target.pixelCount) return;
  runs[pixel] += sums[pixel];
}
