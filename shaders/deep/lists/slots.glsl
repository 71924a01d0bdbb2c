// SPDX-License-Identifier: BSD-3-Clause
// Pixel slots: the order in which a region's pixels are stored in the tables. SLOTS is DEEP_SLOTS_RASTER or
// DEEP_SLOTS_TILE2X8, tiles 2 wide and 8 high as NVIDIA hardware rasterizes them (Archer 2018, raster
// pattern). The padded width is a multiple of 4, so two tiles side by side are one group of 32 slots.
#include "shaders/deep/shared.h"

#ifndef SLOTS
#define SLOTS DEEP_SLOTS_TILE2X8
#endif
#ifndef LAYOUT
#define LAYOUT DEEP_LAYOUT_BIA
#endif
#ifndef BLOCK
#define BLOCK 4
#endif

layout(std140, binding = DEEP_BIND_PARAMS) uniform Params { DeepParams params; };

uint slotOf(uvec2 pixel) {
#if SLOTS == DEEP_SLOTS_TILE2X8
  uint tile = (pixel.y >> 3) * (params.paddedWidth >> 1) + (pixel.x >> 1);
  return tile * 16u + (pixel.y & 7u) * 2u + (pixel.x & 1u);
#else
  return pixel.y * params.paddedWidth + pixel.x;
#endif
}

uvec2 pixelOf(uint slot) {
#if SLOTS == DEEP_SLOTS_TILE2X8
  uint tile = slot >> 4, tilesX = params.paddedWidth >> 1, inside = slot & 15u;
  return uvec2((tile % tilesX) * 2u + (inside & 1u), (tile / tilesX) * 8u + (inside >> 1));
#else
  return uvec2(slot % params.paddedWidth, slot / params.paddedWidth);
#endif
}

bool isPixel(uvec2 pixel) { return pixel.x < params.width && pixel.y < params.height; }
