// SPDX-License-Identifier: BSD-3-Clause
// What float32 arithmetic can add to a tile's error, beside its certificate: one work group per tile of
// the band. Each component of the final list is bounded on the tile's four quarters: how far its
// log weight can be off, first order in e = 2^-23 (the rounding that GLSL allows per operation),
// times the share that it can have there and the color that it can move; the largest quarter
// counts. Higham, "Accuracy and Stability of Numerical Algorithms", chapters 2 to 4. Sums are fixed
// point: the same whatever their order.
//
// On a quarter: P the tile's side, px; A = c - bar; g <= G = min(1, 2^(A - nearest |z|^2)); g |z|^k <=
// G Z^k, k <= 3, with Z^2 = max(nearest, A, 2.2), beyond which 2^(A - |z|^2) |z|^3 falls. z is that of
// where the tile begins, rounded once, and what is added within the tile:
//   |z - exact|   <= (|W11| + |W21| + |W22|) (8 P e + what the center is cut by) + 6 Z e       = dz
//   |weight| rel. <= ln 2 (2 Z dz + dz^2 + e (2 |c| + 4 Z^2)) + e (3 + 3.4 |argument of exp2|)
// Shares add up to one: of the components that may have at least 1 / SMALL anywhere on the quarter,
// the worst counts once, with Z^2 = max(nearest, A + log2 SMALL, 2.2), and all of them by 1 / SMALL
// for where they have less. That, or the sum of all by their G, whichever is less.
// Products that are fused err less.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_REACH) restrict readonly buffer Reach { float reach[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_CELL_BARS) restrict readonly buffer CellBars { float cellBars[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_ENTRIES) restrict readonly buffer Entries { uvec2 entries[]; };
layout(std430, binding = SMOE_BIND_TILES) restrict buffer Tiles { SmoeTile tiles[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/grid.glsl"

#define QUARTERS 4
#define ROUNDING 1.1920929e-7   // e
#define LN2 0.69314718
#define USUAL_AMPLITUDE 1.7     // of colors in range
#define SMALL_BITS 6.0
#define SMALL 64.0

shared uint sums[2 * QUARTERS], rests[2 * QUARTERS];
shared uint worsts[QUARTERS];  // bits of floats, which are not negative
shared float bars[QUARTERS];

struct Quarter {
  Box box;
  float bar;     // 3e38: outside the picture
  float behind;  // bits that the tile's offset is above it
};

/// The lowest bar of the quarter's cells.
float barOf(ivec2 firstCell, int side) {
  float lowest = 3.0e38;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const ivec2 cell = firstCell + ivec2(x, y);
      if (all(lessThan(cell, params.cells)))
        lowest = min(lowest, cellBars[cell.y * params.cells.x + cell.x]);
    }
  return lowest;
}

/// How much the component's arithmetic can move the color, per share that it has, where |z|^2 is at
/// most `square`.
float errorPerShare(Gate gate, float amount, float square, float argument, float side, float cut,
                    float terms) {
  const float z = sqrt(square);
  const vec3 w = abs(gate.w);
  const float dz = (w.x + w.y + w.z) * (8.0 * side * ROUNDING + cut) + 6.0 * z * ROUNDING;
  const float weight = LN2 * (2.0 * z * dz + dz * dz + ROUNDING * (2.0 * abs(gate.c) + 4.0 * square)) +
                       ROUNDING * (3.0 + 3.4 * argument);
  const float amplitude_ = amount + gate.h * max(SMOE_SIGMA_SCALE, z);
  // Adding up so many terms costs what main() adds once, and this for colors beyond the usual.
  const float adding = 2.0 * terms * ROUNDING * max(0.0, amplitude_ - USUAL_AMPLITUDE);
  return weight * amplitude_ + gate.h * dz + 4.0 * ROUNDING * amplitude_ + adding;
}

void main() {
  openGrid();
  const uint lane = gl_LocalInvocationIndex, tile = groupIndex();
  const bool inRange = tile < params.tileCount;
  const int number = int(params.firstTile + (inRange ? tile : 0u)), across = params.tiles.x;
  const ivec2 at = ivec2(number % across, number / across);
  const int pixels = int(params.tilePixels), half_ = pixels / 2;
  const ivec2 corner = at * pixels;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  if (lane < QUARTERS) {
    const ivec2 first = corner + half_ * ivec2(lane & 1u, lane >> 1);
    bars[lane] = barOf(first / SMOE_CELL, half_ / SMOE_CELL);
    sums[2u * lane] = sums[2u * lane + 1u] = rests[2u * lane] = rests[2u * lane + 1u] = 0u;
    worsts[lane] = 0u;
  }
  barrier();

  const uint begin = inRange ? tileStarts[tile] : 0u, end = inRange ? tileStarts[tile + 1u] : 0u;
  const float offset = inRange ? tiles[tile].offset : 0.0, terms = float(end - begin);
  const float side = float(pixels) * gridStep, cut = params.shift > 0u ? gridUnit : 0.0;
  for (uint entry = begin + lane; entry < end; entry += SMOE_LIST_SIZE) {
    const uint j = entries[entry].x;
    const Gate gate = gateOf(j, origin, rest);
    const float amount = reach[j];
    for (int q = 0; q < QUARTERS; ++q)
      if (bars[q] < 1.0e38) {
        const ivec2 first = corner + half_ * ivec2(q & 1, q >> 1);
        Quarter quarter;
        quarter.box = boxOf(first, first + half_, corner);
        quarter.bar = bars[q];
        quarter.behind = max(0.0, offset - bars[q]);
        const float near = nearest(gate, quarter.box), a = gate.c - quarter.bar + SMOE_SLACK;
        const float argument = quarter.behind + max(0.0, near - a) + 1.0;
        const float share = min(1.0, exp2(min(a - near, 0.0)));
        const float error = share * errorPerShare(gate, amount, max(near, max(a, 2.2)), argument, side,
                                                  cut, terms);
        const uvec2 parts = errorParts(error);
        ADD_ERROR(sums, uint(q), parts);
        float rest_ = error;
        if (share * SMALL >= 1.0) {
          const float worst = errorPerShare(gate, amount, max(near, max(a + SMALL_BITS, 2.2)),
                                            argument + SMALL_BITS, side, cut, terms);
          atomicMax(worsts[q], floatBitsToUint(worst));
          rest_ = worst / SMALL;
        }
        const uvec2 restParts = errorParts(rest_);
        ADD_ERROR(rests, uint(q), restParts);
      }
  }
  barrier();
  if (!inRange || lane != 0u || begin == end) return;
  float worst = 0.0;
  for (uint q = 0u; q < QUARTERS; ++q)
    worst = max(worst, min(errorOf(ERROR_AT(sums, q)),
                           uintBitsToFloat(worsts[q]) + errorOf(ERROR_AT(rests, q))));
  worst += ROUNDING * (2.0 * terms + 4.0) * USUAL_AMPLITUDE;
  worst *= 1.02 + 2.0 * worst;  // what is of second order
  tiles[tile].rounding = worst;
}
