// SPDX-License-Identifier: BSD-3-Clause
// A band of tiles of lists made on the device (ListBuilder) becomes a part of the lists of its
// region: one work group per tile of the band. Counts the slots of each component; integers, so
// that their order does not matter.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitBand band; };
layout(std430, binding = FIT_BIND_BAND_STARTS) restrict readonly buffer BandStarts {
  uint bandStarts[];
};
layout(std430, binding = FIT_BIND_BAND_ENTRIES) restrict readonly buffer BandEntries {
  uvec2 bandEntries[];
};
layout(std430, binding = FIT_BIND_BAND_TILES) restrict readonly buffer BandTiles {
  SmoeTile bandTiles[];
};
layout(std430, binding = FIT_BIND_TILE_STARTS) restrict writeonly buffer Starts { uint starts[]; };
layout(std430, binding = FIT_BIND_OFFSETS) restrict writeonly buffer Offsets { float offsets[]; };
layout(std430, binding = FIT_BIND_COMPONENTS) restrict writeonly buffer Components {
  uint components[];
};
layout(std430, binding = FIT_BIND_TILES) restrict writeonly buffer Tiles { uint tiles[]; };
layout(std430, binding = FIT_BIND_SLOTS) restrict writeonly buffer Slots { uint slots[]; };
layout(std430, binding = FIT_BIND_KEYS) restrict writeonly buffer Keys { uint keys[]; };
layout(std430, binding = FIT_BIND_COUNTS) restrict buffer Counts { uint counts[]; };

const float kLn2 = 0.69314718;

void main() {
  uint lane = gl_LocalInvocationIndex, inBand = groupIndex();
  if (inBand >= band.tileCount) return;
  uint tile = band.firstTile + inBand;
  uint first = bandStarts[inBand], end = bandStarts[inBand + 1];
  if (lane == 0) {
    starts[tile] = band.firstSlot + first;
    offsets[tile] = bandTiles[inBand].offset * kLn2;
    if (band.last != 0 && inBand + 1 == band.tileCount) starts[tile + 1] = band.firstSlot + end;
  }
  for (uint entry = first + lane; entry < end; entry += FIT_GROUP) {
    uint slot = band.firstSlot + entry, component = bandEntries[entry].x;
    components[slot] = component;
    tiles[slot] = tile;
    slots[slot] = slot;
    keys[slot] = component;
    atomicAdd(counts[component], 1u);
  }
}
