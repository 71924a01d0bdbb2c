// SPDX-License-Identifier: BSD-3-Clause
// The final lists: one work group per tile of the band copies the candidates whose mask is not 0, in
// order, to where the scanned counts say, as far as there is room.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer List { uint list[]; };
layout(std430, binding = SMOE_BIND_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_ENTRIES) restrict writeonly buffer Entries { uvec2 entries[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };

// A bit per candidate of the batch. Batches take turns: while one is read, the next is cleared and
// the one after that may still be read by invocations that are behind.
shared uint passed[6];

void main() {
  const uint lane = gl_LocalInvocationIndex;
  const uint tile = groupIndex();
  const bool inRange = tile < params.tileCount;
  const uvec2 range = inRange ? ranges[tile] : uvec2(0u);
  uint place = inRange ? tileStarts[tile] : 0u;
  uint turn = 0u;
  if (lane < 2u) passed[lane] = 0u;
  for (uint start = range.x; start < range.y; start += SMOE_LIST_SIZE) {
    const uint next = turn == 4u ? 0u : turn + 2u;
    if (lane < 2u) passed[next + lane] = 0u;
    const uint entry = start + lane;
    const uint mask = entry < range.y ? masks[entry] : 0u;
    barrier();
    if (mask != 0u) atomicOr(passed[turn + lane / 32u], 1u << (lane & 31u));
    barrier();
    const uint low = passed[turn], high = passed[turn + 1u];
    if (mask != 0u) {
      const uint below = (1u << (lane & 31u)) - 1u;
      const uint rank = lane < 32u ? uint(bitCount(low & below))
                                   : uint(bitCount(low) + bitCount(high & below));
      if (place + rank < level.entries) entries[place + rank] = uvec2(list[entry], mask);
    }
    place += uint(bitCount(low) + bitCount(high));
    turn = next;
  }
}
