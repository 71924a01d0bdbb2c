// SPDX-License-Identifier: BSD-3-Clause
// One invocation per tile, and one more: where the tile's fragments begin.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_SLOTS) restrict readonly buffer Slots { uint slots[]; };
layout(std430, binding = DOF_BIND_TILE_SPLATS) restrict writeonly buffer TileSplats {
  uint tileSplats[];
};
layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };

void main() {
  uint tile = invocationIndex();
  if (tile <= params.tilesX * params.tilesY) tileSplats[tile] = slots[tile * DOF_TILE_PIXELS];
}
