// SPDX-License-Identifier: BSD-3-Clause
// What comes before each unit, the size of the image and its header. One work group: each invocation
// joins a stretch of units, stretches are scanned in shared memory, and each invocation goes through
// its own again. Reads totals and the last mask word, writes sums, facts and the first words of the
// image. Deterministic.
#include "shaders/active_pixel/payload.glsl"
#include "shaders/active_pixel/units.glsl"
layout(local_size_x = AP_SCAN_SIZE) in;

layout(std430, binding = AP_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_UNITS) restrict buffer Units { uvec4 units[]; };
layout(std430, binding = AP_BIND_FACTS) restrict writeonly buffer Facts { ApFacts facts; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/words.glsl"

shared uvec4 stretches[2][AP_SCAN_SIZE];

/// Of the units up to each invocation's own ones, as `stretches` of the half that is returned.
uint scanStretches(uint lane, uvec4 own) {
  uint side = 0;
  stretches[0][lane] = own;
  barrier();
  for (uint stride = 1; stride < AP_SCAN_SIZE; stride *= 2) {
    uvec4 sum = stretches[side][lane];
    if (lane >= stride) sum = joined(stretches[side][lane - stride], sum);
    side = 1 - side;
    stretches[side][lane] = sum;
    barrier();
  }
  return side;
}

void writeHeader(uvec4 all) {
  // The image ends with an active pixel only where the region reaches its last pixel.
  const bool reachesEnd = target.left + target.width == target.tileWidth &&
                          target.bottom + target.height == target.tileHeight;
  const uint last = masks[target.wordCount - 1] >> ((target.width - 1) & 31u);
  const uint trailing = reachesEnd && (last & 1u) != 0 ? 0 : 1;
  const uint bytes = 4 * pairAt(all.y + trailing, all.x);
  facts = ApFacts(all.x, all.y, bytes, trailing);
  put(0, 0x004D6000u);
  put(1, target.colorFormat);
  put(2, target.depthFormat);
  put(3, target.tileWidth);
  put(4, target.tileHeight);
  put(5, target.pixelCount);
  put(6, bytes);
  if (all.y == 0) {  // no run that could write it
    put(7, target.pixelCount);
    put(8, 0);
  }
}

void main() {
  const uint lane = gl_LocalInvocationID.x, count = target.unitCount;
  const uint each = (count + AP_SCAN_SIZE - 1) / AP_SCAN_SIZE;
  const uint first = min(lane * each, count), end = min(first + each, count);
  uvec4 own = uvec4(0);
  for (uint i = first; i < end; ++i) own = joined(own, units[i]);
  const uint side = scanStretches(lane, own);
  uvec4 before = lane > 0 ? stretches[side][lane - 1] : uvec4(0);
  for (uint i = first; i < end; ++i) {
    units[count + i] = before;
    before = joined(before, units[i]);
  }
  if (lane + 1 == AP_SCAN_SIZE) {
    units[2 * count] = before;
    writeHeader(before);
  }
}
