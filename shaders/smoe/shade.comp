// SPDX-License-Identifier: BSD-3-Clause
// Decodes tiles: y(x) = sum_j w_j(x) m_j(x) over the tile's list (Avramelos et al., eqs. 8 and 9). One
// work group per 16 x 16 samples (per tile of 8), one invocation per sample. Records go through shared
// memory in batches, their centers made relative to the tile: from then on all is float. 32
// consecutive invocations cover 8 x 4 samples, and skip what does not matter to those two cells.
//
// Weights are relative to the tile's offset, the largest log weight in it; where that does not keep
// them in range, a first pass takes each sample's own maximum. Sums run in ascending order of
// components: deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/shared.h"

#ifndef SMOE_TILE
#define SMOE_TILE 16
#endif
#ifndef SMOE_OUTPUT
#define SMOE_OUTPUT SMOE_SHADE_PICTURE
#endif
#if SMOE_TILE == 8
#define SIDE 8
#else
#define SIDE 16
#endif
#define BATCH 64
layout(local_size_x = SIDE * SIDE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_SHADE) restrict readonly buffer Shade { uvec4 shade[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_ENTRIES) restrict readonly buffer Entries { uvec2 entries[]; };
layout(std430, binding = SMOE_BIND_TILES) restrict buffer Tiles { SmoeTile tiles[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/grid.glsl"
#include "shaders/smoe/output.glsl"

shared uint batchMasks[BATCH];
shared vec4 batchA[BATCH];  // center, c, W11
shared vec4 batchB[BATCH];  // W21, W22, H_r1, H_r2
shared vec4 batchC[BATCH];  // color r, g, b, H_g1
shared vec4 batchD[BATCH];  // H_g2, H_b1, H_b2, component (bits)

void loadRecord(uint slot, uvec2 entry, ivec2 origin, vec2 rest) {
  const Gate gate = gateOf(entry.x, origin, rest);
  const vec4 a = uintBitsToFloat(shade[2u * entry.x]), b = uintBitsToFloat(shade[2u * entry.x + 1u]);
  batchMasks[slot] = entry.y;
  batchA[slot] = vec4(gate.center, gate.c, gate.w.x);
  batchB[slot] = vec4(gate.w.yz, uintBitsToFloat(cull[2u * entry.x + 1u].w), a.w);
  batchC[slot] = vec4(a.xyz, b.x);
  batchD[slot] = vec4(b.yzw, uintBitsToFloat(entry.x));
}

vec2 whitened(uint slot, vec2 at) {
  const vec2 d = at - batchA[slot].xy;
  return vec2(batchA[slot].w * d.x, batchB[slot].x * d.x + batchB[slot].y * d.y);
}

void main() {
  // 8 x 4 samples, side by side.
  const uint lane = gl_LocalInvocationIndex;
  const uint half_ = lane / 32u, inHalf = lane % 32u;
  const ivec2 local = ivec2(8 * int(half_ % (SIDE / 8u)) + int(inHalf % 8u),
                            4 * int(half_ / (SIDE / 8u)) + int(inHalf / 8u));
  const ivec2 sampleBlock = ivec2(gl_WorkGroupID.xy) + ivec2(0, int(params.firstRow) * SMOE_TILE / SIDE);
  const ivec2 at = sampleBlock * SIDE + local;
  const ivec2 tileAt = sampleBlock * SIDE / SMOE_TILE;
  const ivec2 corner = tileAt * SMOE_TILE;
  const uint tile = uint(tileAt.y * params.tiles.x + tileAt.x) - params.firstTile;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const vec2 position = (vec2(at - corner) + 0.5) * params.step;
  const bool inRange = all(lessThan(at, params.size));

  const ivec2 cell = (at - corner) / SMOE_CELL;
#if SMOE_TILE == 8
  const uint own = 3u << (2 * cell.y);
#elif SMOE_TILE == 16
  const uint own = 3u << (4 * cell.y + (cell.x & ~1));
#else
  const uint own = 1u << (4 * (cell.y / 2) + cell.x / 2);
#endif

  const uint first = tileStarts[tile], last = tileStarts[tile + 1u];
  float offset = tiles[tile].offset;
  const bool twoPasses = tiles[tile].twoPasses != 0u;
  if (twoPasses) offset = -3.0e38;
  Sums sums = noSums();
  for (int pass = twoPasses ? 0 : 1; pass < 2; ++pass) {
    for (uint start = first; start < last; start += BATCH) {
      const uint batch = min(last - start, uint(BATCH));
      barrier();
      if (lane < batch) loadRecord(lane, entries[start + lane], origin, rest);
      barrier();
      for (uint i = 0u; i < batch; ++i) {
        if ((batchMasks[i] & own) == 0u) continue;
        const vec2 z = whitened(i, position);
        const float weight = batchA[i].z - dot(z, z);
        if (pass == 0)
          offset = max(offset, weight);
        else
          addComponent(sums, exp2(weight - offset), z, batchB[i].zw, batchC[i], batchD[i]);
      }
    }
  }
  if (inRange) writeSample(at, tile, sums, offset);
}
