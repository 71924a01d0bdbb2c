// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot: order[slot] is the length of its list if its pixel lies in the region
// whose fragments become points, else 0. Scanned, it gives where collect_points.comp puts them.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/view/depth_view_shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_COLLECT) uniform Collect { DeepCollectParams collect; };
layout(std430, binding = DEEP_BIND_ORDER) restrict writeonly buffer Counted { uint counted[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  bool isIn = isPixel(pixel) && pixel.x >= collect.left && pixel.x < collect.right &&
              pixel.y >= collect.top && pixel.y < collect.bottom;
  counted[slot] = isIn ? listCount(0, slot) : 0u;
}
