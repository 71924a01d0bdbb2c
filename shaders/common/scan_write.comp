// SPDX-License-Identifier: BSD-3-Clause
// Second half of the exclusive prefix sum. One work group per block of SCAN_BLOCK items; reads the
// block and the sum of all blocks before it, writes the prefix sums. The item after the last counts 0
// and receives the total. Input and output may be the same buffer: a group writes only what it has
// read. Deterministic: sums of integers.
#include "shaders/common/shared.h"
layout(local_size_x = SCAN_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SCAN_BIND_IN) readonly buffer In { uint items[]; };
layout(std430, binding = SCAN_BIND_SUMS) readonly buffer Sums { uint sums[]; };
layout(std430, binding = SCAN_BIND_OUT) writeonly buffer Out { uint prefix[]; };
layout(std140, binding = SCAN_BIND_PARAMS) uniform Params { ScanParams params; };

const uint kChunks = 16;  // each of SCAN_SIZE / kChunks invocations' sums
const uint kChunk = SCAN_SIZE / kChunks;
shared uint staged[SCAN_BLOCK + SCAN_BLOCK / 32];
shared uint partial[SCAN_SIZE + SCAN_SIZE / kChunk];
shared uint chunks[kChunks];

// A gap after every 32 words keeps strided accesses off the same bank.
uint stagedAt(uint i) { return i + (i >> 5); }
uint partialAt(uint i) { return i + i / kChunk; }

void main() {
  const uint block = groupIndex();
  const uint first = block * SCAN_BLOCK;
  const uint lane = gl_LocalInvocationID.x;
  const bool inRange = first <= params.count;

  // Load in rows, so that neighbors read neighbors.
  for (uint row = 0; row < SCAN_ITEMS; ++row) {
    const uint i = row * SCAN_SIZE + lane;
    staged[stagedAt(i)] = inRange && first + i < params.count ? items[first + i] : 0;
  }
  barrier();

  // Each invocation sums SCAN_ITEMS consecutive items.
  uint sum = 0;
  for (uint i = 0; i < SCAN_ITEMS; ++i) sum += staged[stagedAt(lane * SCAN_ITEMS + i)];
  partial[partialAt(lane)] = sum;
  barrier();

  // Scan these sums within chunks, then the chunks.
  if (lane < kChunks) {
    uint running = 0;
    for (uint i = 0; i < kChunk; ++i) {
      const uint at = partialAt(lane * kChunk + i);
      const uint value = partial[at];
      partial[at] = running;
      running += value;
    }
    chunks[lane] = running;
  }
  barrier();
  uint running = partial[partialAt(lane)];
  for (uint i = 0; i < lane / kChunk; ++i) running += chunks[i];
  if (inRange && params.hasSums != 0) running += sums[block];

  // Back to items, and out in rows.
  for (uint i = 0; i < SCAN_ITEMS; ++i) {
    const uint at = stagedAt(lane * SCAN_ITEMS + i);
    const uint value = staged[at];
    staged[at] = running;
    running += value;
  }
  barrier();
  for (uint row = 0; row < SCAN_ITEMS; ++row) {
    const uint i = row * SCAN_SIZE + lane;
    if (inRange && first + i <= params.count) prefix[first + i] = staged[stagedAt(i)];
  }
}
