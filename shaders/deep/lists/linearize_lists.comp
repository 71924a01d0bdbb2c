// SPDX-License-Identifier: BSD-3-Clause
// Download: one invocation per slot copies its list to raster order (scratch: Fragment[F], at the exclusive
// raster offsets in order), front to back (DESCENDING: the list runs back to front and is reversed).
#ifndef DESCENDING
#define DESCENDING 0
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint rasterOffsets[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict writeonly buffer Lists { Fragment lists[]; };

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;
  uint i = pixel.y * params.width + pixel.x;
  Cursor c = openList(0, slot);
#if DESCENDING
  for (uint at = rasterOffsets[i + 1u]; !atEnd(c);) lists[--at] = fetch(0, c);
#else
  for (uint at = rasterOffsets[i]; !atEnd(c); ++at) lists[at] = fetch(0, c);
#endif
  expectWhole();
}
