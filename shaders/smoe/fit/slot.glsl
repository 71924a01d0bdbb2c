// SPDX-License-Identifier: BSD-3-Clause
// The passes over slots: one invocation per slot runs through the pixels of its tile. Neighboring
// invocations mostly share the tile, so their reads coincide.
#ifndef SHADERS_SMOE_FIT_SLOT
#define SHADERS_SMOE_FIT_SLOT

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_PIXELS) uniform usamplerBuffer pixels;
layout(std430, binding = FIT_BIND_OFFSETS) restrict readonly buffer Offsets { float offsets[]; };
layout(std430, binding = FIT_BIND_COMPONENTS) restrict readonly buffer Components {
  uint components[];
};
layout(std430, binding = FIT_BIND_TILES) restrict readonly buffer Tiles { uint tiles[]; };
layout(std430, binding = FIT_BIND_PARTIALS) restrict writeonly buffer Partials { vec4 partials[]; };

#include "shaders/smoe/fit/record.glsl"

vec4 fetchPixel(uint index) { return uintBitsToFloat(texelFetch(pixels, int(index))); }

ivec2 firstPixel(uint tile) {
  return params.origin + FIT_TILE * ivec2(tile % params.tilesX, tile / params.tilesX);
}

#endif
