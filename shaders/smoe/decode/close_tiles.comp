// SPDX-License-Identifier: BSD-3-Clause
// The scanned numbers of entries per tile, where there is room for them: one invocation per tile, and
// one for the end, which writes down how much is needed.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict buffer TileStarts { uint tileStarts[]; };
layout(std430, binding = SMOE_BIND_STATS) restrict buffer Stats {
  SmoeStats stats;
  uint needs[];
};
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };

// Of `level` only these: entries, and needs, where the number of entries goes.
void main() {
  const uint tile = invocationIndex();
  if (tile > params.tileCount) return;
  const uint start = tileStarts[tile];
  if (tile == params.tileCount) needs[level.needs] = start;
  tileStarts[tile] = min(start, level.entries);
}
