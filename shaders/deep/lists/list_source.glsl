// SPDX-License-Identifier: BSD-3-Clause
// Where the fragments of a slot lie that an array of fragments outside the layouts holds (order: the
// table, scratch: the fragments). FROM_SLOTS 0: raster order, exclusive offsets uint[height * width + 1].
// FROM_SLOTS 1: order of slots, ends uint[P], as a linearized image has them.
#ifndef FROM_SLOTS
#define FROM_SLOTS 0
#endif

layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint sourceOffsets[]; };

/// First fragment and the one past the last; padding slots are empty.
uvec2 sourceRange(uint slot) {
#if FROM_SLOTS
  return uvec2(slot > 0u ? sourceOffsets[slot - 1u] : 0u, sourceOffsets[slot]);
#else
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return uvec2(0u);
  uint i = pixel.y * params.width + pixel.x;
  return uvec2(sourceOffsets[i], sourceOffsets[i + 1u]);
#endif
}
