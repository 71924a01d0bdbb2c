// SPDX-License-Identifier: BSD-3-Clause
// Decodes tiles: y(x) = sum_j w_j(x) m_j(x) over the tile's list (Avramelos et al., eqs. 8 and 9). One
// work group per 16 x 16 samples (per tile of 8), one invocation per sample. Records go through shared
// memory in batches, their centers made relative to the tile: from then on all is float. 32
// consecutive invocations cover 8 x 4 samples, and skip what does not matter to those two cells.
// SMOE_PAPER: the paper's arithmetic in place of records (batch_paper.glsl).
//
// Weights are relative to the tile's offset, the largest log weight in it; where that does not keep
// them in range, a first pass takes each sample's own maximum. Sums run in ascending order of
// components: deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"

#ifndef SMOE_TILE
#define SMOE_TILE 16
#endif
#ifndef SMOE_OUTPUT
#define SMOE_OUTPUT SMOE_SHADE_PICTURE
#endif
#ifndef SMOE_PAPER
#define SMOE_PAPER 0
#endif
#if SMOE_TILE == 8
#define SIDE 8
#else
#define SIDE 16
#endif
#if SMOE_PAPER
#define BATCH 32
#else
#define BATCH 64
#endif
layout(local_size_x = SIDE * SIDE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_ENTRIES) restrict readonly buffer Entries { uvec2 entries[]; };
layout(std430, binding = SMOE_BIND_TILES) restrict buffer Tiles { SmoeTile tiles[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/grid.glsl"
#if SMOE_PAPER
#include "shaders/smoe/decode/batch_paper.glsl"
#else
#include "shaders/smoe/decode/batch_records.glsl"
#endif
#include "shaders/smoe/decode/output.glsl"

shared uvec2 batch[BATCH];  // component, mask

void main() {
  openGrid();
  // 8 x 4 samples, side by side.
  const uint lane = gl_LocalInvocationIndex;
  const uint unit = lane / 32u, inUnit = lane % 32u;
  const ivec2 local = ivec2(8 * int(unit % (SIDE / 8u)) + int(inUnit % 8u),
                            4 * int(unit / (SIDE / 8u)) + int(inUnit / 8u));
  const ivec2 block =
      ivec2(gridGroup()) + ivec2(0, int(params.firstRow) * SMOE_TILE / SIDE);
  const ivec2 at = block * SIDE + local;
  const ivec2 tileAt = block * SIDE / SMOE_TILE;
  const ivec2 corner = tileAt * SMOE_TILE;
  const uint tile = uint(tileAt.y * params.tiles.x + tileAt.x) - params.firstTile;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const bool inRange = all(lessThan(at, params.size));
  vec2 position = (vec2(at - corner) + 0.5) * params.step;
#if SMOE_PAPER
  position += vec2(origin) * params.unit + rest;
#endif

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
  for (int turn = twoPasses ? 0 : 1; turn < 2; ++turn) {
    for (uint start = first; start < last; start += BATCH) {
      const uint count = min(last - start, uint(BATCH));
      barrier();
      if (lane < count) {
        batch[lane] = entries[start + lane];
        loadRecord(lane, batch[lane].x, origin, rest);
      }
      barrier();
      for (uint i = 0u; i < count; ++i) {
        if ((batch[i].y & own) != 0u) {
          Whitened z;
          const float weight = logWeight(i, position, z);
          if (turn == 0)
            offset = max(offset, weight);
          else
            addComponent(sums, exp2(weight - offset), expertAt(i, z), batch[i].x);
        }
      }
    }
  }
  if (inRange) writeSample(at, tile, sums, offset);
}
