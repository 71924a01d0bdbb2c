// SPDX-License-Identifier: BSD-3-Clause
// Slots: pixels in tile order, 256 per tile, so that a tile's fragments lie in one piece.
#include "shaders/dof/shared.h"

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };

uint slotOf(uvec2 pixel) {
  uvec2 tile = pixel / DOF_TILE, local = pixel % DOF_TILE;
  return (tile.y * params.tilesX + tile.x) * DOF_TILE_PIXELS + local.y * DOF_TILE + local.x;
}

uvec2 pixelOf(uint slot) {
  uint tile = slot / DOF_TILE_PIXELS, local = slot % DOF_TILE_PIXELS;
  return uvec2(tile % params.tilesX, tile / params.tilesX) * DOF_TILE +
         uvec2(local % DOF_TILE, local / DOF_TILE);
}

bool isPixelOf(uint slot) {
  uvec2 pixel = pixelOf(slot);
  return pixel.x < params.width && pixel.y < params.height;
}
