// SPDX-License-Identifier: BSD-3-Clause
// Resampling: one invocation per slot of the output walks the pixels of the image under it. OUTPUT 0 counts
// their points into the table, for the scan; OUTPUT 1 writes them where the list belongs, as
// | point | bits of the weight | Z | Z |: sorted by depth, then by point, they are in the order in which
// operations/resample_points.cpp has them. Offsets are exclusive, of the rows that are on the device.
#ifndef OUTPUT
#define OUTPUT 1
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/resample/resample_shared.h"
#include "shaders/deep/resample/taps.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Offsets { uint offsets[]; };
#if OUTPUT == 1
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Depths { uint depths[]; };

/// Undoes depthKey().
uint zOf(uint key) { return (key >> 31) != 0u ? key ^ 0x80000000u : ~key; }
#endif

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  bool any = isPixel(pixel);
  Axis x = Axis(0u, 0u, 0u), y = x;
  if (any) {
    x = axisX(pixel), y = axisY(pixel);
    any = x.count > 0u && !isWhole(x, y);
  }
#if OUTPUT == 0
  uint count = 0u;
  for (uint j = 0u; any && j < y.count; ++j) {
    uint at = (y.first + j) * params.count + x.first;
    count += offsets[at + x.count] - offsets[at];
  }
  table[0].items[slot] = count;
#else
  if (!any) return;
  uint to = openList(0, slot).base;
  for (uint j = 0u; j < y.count; ++j) {
    uint at = (y.first + j) * params.count + x.first;
    for (uint i = 0u; i < x.count; ++i) {
      uint weight = floatBitsToUint(weights[x.at + i] * weights[y.at + j]);
      uint end = offsets[at + i + 1u];
      for (uint point = offsets[at + i]; point < end; ++point) {
        uint z = zOf(depths[point]);
#if WORDS == 2
        data[0].items[to++] = uvec2(point, weight);  // has no room for depths: compiled, not used
#else
        data[0].items[to++] = uvec4(point, weight, z, z);
#endif
      }
    }
  }
#endif
  expectWhole();
}
