// SPDX-License-Identifier: BSD-3-Clause
// Written once active pixels and runs are counted: the size of the image, its header, and how many
// work groups the pairs take. One invocation; reads prefix sums and the last mask word.
#include "shaders/active_pixel/payload.glsl"
layout(local_size_x = 1) in;

layout(std430, binding = AP_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_PREFIX) restrict readonly buffer Prefix { uint prefix[]; };
layout(std430, binding = AP_BIND_FACTS) restrict writeonly buffer Facts { ApFacts facts; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/words.glsl"

const uint kGroupsPerAxis = 65535;

void main() {
  const uint activeCount = prefix[target.wordCount];
  const uint runCount = prefix[2 * target.wordCount] - activeCount;

  // The image ends with an active pixel only where the region reaches its last pixel.
  const bool reachesEnd = target.left + target.width == target.tileWidth &&
                          target.bottom + target.height == target.tileHeight;
  const uint last = masks[target.wordCount - 1] >> ((target.width - 1) & 31u);
  const uint trailing = reachesEnd && (last & 1u) != 0 ? 0 : 1;
  const uint wordCount = pairAt(runCount + trailing, activeCount);

  facts.activeCount = activeCount;
  facts.runCount = runCount;
  facts.bytes = 4 * wordCount;
  facts.trailing = trailing;
  const uint groups = (runCount + AP_PAIRS_SIZE - 1) / AP_PAIRS_SIZE;
  const uint rows = max(1u, (groups + kGroupsPerAxis - 1) / kGroupsPerAxis);
  facts.groups[0] = (groups + rows - 1) / rows;
  facts.groups[1] = rows;
  facts.groups[2] = 1;

  put(0, 0x004D6000u);
  put(1, target.colorFormat);
  put(2, target.depthFormat);
  put(3, target.tileWidth);
  put(4, target.tileHeight);
  put(5, target.pixelCount);
  put(6, 4 * wordCount);
  if (runCount == 0) {  // no run that could write it
    put(7, target.pixelCount);
    put(8, 0);
  }
}
