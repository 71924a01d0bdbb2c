// SPDX-License-Identifier: BSD-3-Clause
// Which cells of a tile does each candidate matter to? One work group per tile of the band; an
// invocation holds a candidate and goes through the tile's cells of 4 x 4. Writes a mask per
// candidate (0: dropped), their number per tile, the tile's offset for the softmax and its
// certificate: what was dropped on a cell, and above it, bounds the error there.
//
// Mask bits are cells of a quarter of the tile's side (tiles of 8: of half of it), row by row; on
// tiles of 32 a bit covers four cells.
// Bounded rule: a cell keeps what reaches its bar - tau. Budget: what it drops adds up to no more than
// the limit; parts are sorted into bins by size first, and the cell drops bins from the smallest on.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

#ifndef SMOE_RULE
#define SMOE_RULE 0
#endif
#define RULE_BOUNDED 0
#define RULE_BUDGET 1
#define RULE_WINDOW 2
#define BINS 64
#define MAX_CELLS 64

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_REACH) restrict readonly buffer Reach { float reach[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_CELL_BARS) restrict readonly buffer CellBars { float cellBars[]; };
layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer List { uint list[]; };
layout(std430, binding = SMOE_BIND_MASKS) restrict writeonly buffer Masks { uint masks[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict writeonly buffer TileCounts {
  uint tileCounts[];
};
layout(std430, binding = SMOE_BIND_LOST) restrict readonly buffer Lost { uint lost[]; };
layout(std430, binding = SMOE_BIND_TILES) restrict writeonly buffer Tiles { SmoeTile tiles[]; };
layout(std430, binding = SMOE_BIND_STATS) restrict buffer Stats { SmoeStats stats; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/decode/grid.glsl"

shared float bars[MAX_CELLS];     // 3e38: a cell outside the picture
shared uint dropped[2 * MAX_CELLS];  // error of each cell
shared uint kept, highest, halves;
#if SMOE_RULE == RULE_BUDGET
shared uint bins[MAX_CELLS * BINS];  // error in 2^-22 of the limit
shared uint firstBin[MAX_CELLS];     // that the cell keeps
#endif

struct TileAt {
  uint index;    // in the band
  ivec2 corner;  // first sample
  ivec2 origin;  // fixed point
  vec2 rest;
  int side;  // cells along it
  uint first, last;
};

/// Row by row, without dividing integers, which software renderers do one by one.
ivec2 nextCell(TileAt tile, ivec2 cell) {
  return cell.x + 1 == tile.side ? ivec2(0, cell.y + 1) : ivec2(cell.x + 1, cell.y);
}

Box cellBox(TileAt tile, ivec2 cell) {
  const ivec2 first = tile.corner + SMOE_CELL * cell;
  return boxOf(first, first + SMOE_CELL, tile.corner);
}

uint maskBit(TileAt tile, ivec2 cell) {
  if (tile.side != 8) return 1u << (cell.y * tile.side + cell.x);
  return 1u << (4 * (cell.y >> 1) + (cell.x >> 1));
}

/// The error of leaving a component out of a cell, in units of twice the limit.
float shareOf(Gate gate, float amount, float square, float bar, float limit) {
  return amplitude(gate, amount, square) * exp2(gate.c - square - bar + SMOE_SLACK) /
         limit;
}

#if SMOE_RULE == RULE_BUDGET
// Bins of a quarter octave below the limit; the last holds what can never be dropped.
uint binOf(float share) {
  return uint(clamp(floor(4.0 * (log2(max(2.0 * share, 1e-30)) + 15.5)), 0.0, float(BINS - 1)));
}

void fillBins(TileAt tile, uint cells, float limit) {
  for (uint start = tile.first; start < tile.last; start += SMOE_LIST_SIZE) {
    const uint entry = start + gl_LocalInvocationIndex;
    if (entry < tile.last) {
      const uint j = list[entry];
      const Gate gate = gateOf(j, tile.origin, tile.rest);
      const float amount = reach[j];
      ivec2 cell = ivec2(0);
      for (int i = 0; i < int(cells); ++i, cell = nextCell(tile, cell)) {
        const float bar = bars[i];
        if (bar < 1e38) {
          const float square = nearest(gate, cellBox(tile, cell));
          const float share = shareOf(gate, amount, square, bar, limit);
          const uint bin = binOf(share);
          if (bin < BINS - 1u)
            atomicAdd(bins[uint(i) * BINS + bin], uint(ceil(2.0 * share * 4194304.0)));
        }
      }
    }
  }
}

// What was lost above the tile comes first; then bins from the smallest on, while the sum stays below
// the limit.
uint chooseBin(uint cell, float before) {
  float sum = before;
  uint first = 0u;
  bool open_ = true;
  for (uint bin = 0u; bin < BINS - 1u; ++bin) {
    sum += float(bins[cell * BINS + bin]) * (1.0 / 4194304.0);
    open_ = open_ && sum <= 0.999;
    first += open_ ? 1u : 0u;
  }
  return first;
}
#endif

void main() {
  openGrid();
  const uint lane = gl_LocalInvocationIndex;
  TileAt tile;
  tile.index = groupIndex();
  const bool inRange = tile.index < params.tileCount;
  const int number = int(params.firstTile + (inRange ? tile.index : 0u));
  const ivec2 at = ivec2(number % params.tiles.x, number / params.tiles.x);
  tile.corner = at * int(params.tilePixels);
  tile.origin = originOf(tile.corner, tile.rest);
  tile.side = int(params.tilePixels) / SMOE_CELL;
  const uvec2 range = inRange ? ranges[tile.index] : uvec2(0u);
  tile.first = range.x;
  tile.last = range.y;
  const uint cells = uint(tile.side * tile.side);
  const float tau = params.tau + SMOE_SLACK, limit = 2.0 * params.limit;
  const bool hasMasks = params.hasMasks != 0u;

  if (lane == 0u) kept = highest = halves = 0u;
  if (lane < cells) {
    const ivec2 cell =
        at * tile.side + ivec2(int(lane) % tile.side, int(lane) / tile.side);
    const bool exists = all(lessThan(cell, params.cells));
    bars[lane] = exists ? cellBars[cell.y * params.cells.x + cell.x] : 3.0e38;
    dropped[2u * lane] = dropped[2u * lane + 1u] = 0u;
  }
#if SMOE_RULE == RULE_BUDGET
  for (uint i = lane; i < cells * BINS; i += SMOE_LIST_SIZE) bins[i] = 0u;
  barrier();
  fillBins(tile, cells, limit);
  barrier();
  if (lane < cells) firstBin[lane] = chooseBin(lane, 2.0 * errorOf(ERROR_AT(lost, tile.index)));
#endif
  barrier();

  float upper = -3.0e38;
  uint own = 0u, ownHalves = 0u;
  for (uint start = tile.first; start < tile.last; start += SMOE_LIST_SIZE) {
    const uint entry = start + lane;
    if (entry < tile.last) {
      const uint j = list[entry];
      const Gate gate = gateOf(j, tile.origin, tile.rest);
      const float amount = reach[j];
      uint mask = 0u;
      float largest = -3.0e38;
      ivec2 cell = ivec2(0);
      for (int i = 0; i < int(cells); ++i, cell = nextCell(tile, cell)) {
        const float bar = bars[i];
        if (bar < 1e38) {
          const float square = nearest(gate, cellBox(tile, cell));
          const float above = gate.c - square - bar;
#if SMOE_RULE == RULE_WINDOW
          mask |= maskBit(tile, cell);
          largest = max(largest, gate.c - square);
#else
          const float share = shareOf(gate, amount, square, bar, limit);
#if SMOE_RULE == RULE_BUDGET
          const bool passes = binOf(share) >= firstBin[i];
#else
          const bool passes = above >= -tau;
#endif
          if (passes) {
            mask |= maskBit(tile, cell);
            largest = max(largest, gate.c - square);
          } else {
            const uvec2 parts = errorParts(share);
            ADD_ERROR(dropped, uint(i), parts);
          }
#endif
        }
      }
      upper = max(upper, largest);
      own += mask != 0u ? 1u : 0u;
      // The 8 x 4 halves that 32 invocations shade together.
      if (tile.side == 4) {
        const uint pairs = (mask | (mask >> 1)) & 0x5555u;
        ownHalves += uint(bitCount(pairs));
      }
      masks[entry] = hasMasks || mask == 0u ? mask : 0xFFFFFFFFu;
    }
  }
  if (own > 0u) {
    atomicAdd(kept, own);
    atomicMax(highest, orderedBits(upper));
    atomicAdd(halves, ownHalves);
  }
  barrier();
  if (!inRange || lane != 0u) return;

  SmoeTile result;
  result.offset = highest == 0u ? 0.0 : fromOrdered(highest);
  result.extreme = 0u;
  result.rounding = 0.0;
  float lowest = 3.0e38, worst = 0.0;
  for (uint i = 0u; i < cells; ++i) {
    lowest = min(lowest, bars[i]);
    worst = max(worst, errorOf(ERROR_AT(dropped, i)));
  }
#if SMOE_RULE == RULE_WINDOW
  result.twoPasses = 1u;
  result.certificate = uintBitsToFloat(0x7F800000u);
#else
  // 60 nats: one pass is safe in float32.
  result.twoPasses = result.offset - lowest > 86.0 ? 1u : 0u;
  const float above = errorOf(ERROR_AT(lost, tile.index));
  result.certificate = limit * (above + worst) * 1.0001;
  atomicMax(stats.upper, floatBitsToUint(limit * above));
  atomicMax(stats.worst, floatBitsToUint(result.certificate));
#endif
  tiles[tile.index] = result;
  tileCounts[tile.index] = kept;
  atomicMax(stats.longest, kept);
  if (kept == 0u) atomicAdd(stats.emptyTiles, 1u);
  const uint before = atomicAdd(stats.halvesLow, halves);
  if (before + halves < before) atomicAdd(stats.halvesHigh, 1u);
}
