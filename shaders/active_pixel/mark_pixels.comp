// SPDX-License-Identifier: BSD-3-Clause
// Step 1 of five (Lipinski et al. 2021, sec. 3): which pixels are active, and where a run starts.
// One invocation per pixel of the image; reads the textures, writes act and new. Deterministic.
#include "shaders/active_pixel/texels.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_ACTIVE) restrict writeonly buffer Active { uint act[]; };
layout(std430, binding = AP_BIND_NEW) restrict writeonly buffer New { uint isNew[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };

bool isActivePixel(uint pixel) {
  const uint row = pixel / target.tileWidth;
  const uint x = pixel - row * target.tileWidth - target.left, y = row - target.bottom;
  if (x >= target.width || y >= target.height) return false;  // left or below: wrapped around
  return isActive(ivec2(target.sourceX + int(x), target.sourceY + int(y)));
}

void main() {
  const uint pixel = invocationIndex();
  if (pixel >= target.pixelCount) return;
  const bool here = isActivePixel(pixel);
  act[pixel] = here ? 1 : 0;
  isNew[pixel] = pixel == 0 || here != isActivePixel(pixel - 1) ? 1 : 0;
}
