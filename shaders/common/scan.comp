// SPDX-License-Identifier: BSD-3-Clause
// Exclusive prefix sum in one dispatch (decoupled look-back: Merrill and Garland 2016). One work group per
// block of SCAN_BLOCK words; sums its block, publishes that, adds up the blocks before it and writes. A block
// that has published nothing after SCAN_POLLS looks is summed here (decoupled fallback: Smith, Levien and
// Owens 2025), so no forward progress between groups is assumed. Input and output may be the same buffer:
// every quad is read and written by one invocation, and a block publishes before it writes, so what others
// sum in its stead from words that it has overwritten is refused. Deterministic: sums of integers.
//
//   for each block: for each of SCAN_QUADS rows: for each of SCAN_SIZE invocations: a quad
//   states: the next block, then for each block four words: two halves of its sum, two of the sum up to it.
//           A word is 16 bits of a sum below 16 bits of the scan's epoch, without which it says nothing
//
// SCAN_MUTE n > 0: every n-th block publishes nothing, so that tests reach the fallback; not in place.
#include "shaders/common/shared.h"
#ifndef SCAN_SIZE
#define SCAN_SIZE SCAN_SIZE_DEFAULT
#endif
#ifndef SCAN_MUTE
#define SCAN_MUTE 0
#endif
#define SCAN_QUADS (SCAN_BLOCK / 4 / SCAN_SIZE)
layout(local_size_x = SCAN_SIZE) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SCAN_BIND_IN) readonly buffer In { uvec4 quads[]; };
layout(std430, binding = SCAN_BIND_STATES) coherent volatile buffer States {
  uint next, spare0, spare1, spare2;
  uint states[];
};
layout(std430, binding = SCAN_BIND_OUT) writeonly buffer Out { uvec4 prefix[]; };
layout(std140, binding = SCAN_BIND_PARAMS) uniform Params { ScanParams params; };

// Chunk c holds the quads from c * SCAN_QUADS on: as many chunks as invocations.
shared uint quadSums[SCAN_SIZE * (SCAN_QUADS + 1)];  // a gap after each chunk: no bank conflicts
shared uint chunkSums[2 * SCAN_SIZE];
shared uvec2 window[SCAN_WINDOW];  // what a block before this one says: which sum, and the sum
shared uint ticket;

const uint kNothing = 0, kLocal = 1, kPrefix = 2;

uint quadAt(uint quad) { return quad + quad / SCAN_QUADS; }

uvec4 readTailQuad(uint quad) {
  if (4 * quad >= params.count) return uvec4(0);
  return mix(uvec4(0), quads[quad], lessThan(4 * quad + uvec4(0, 1, 2, 3), uvec4(params.count)));
}

void writeTailQuad(uint quad, uvec4 four) {
  const uint first = 4 * quad;
  if (first <= params.count) prefix[quad].x = four.x;
  if (first + 1 <= params.count) prefix[quad].y = four.y;
  if (first + 2 <= params.count) prefix[quad].z = four.z;
  if (first + 3 <= params.count) prefix[quad].w = four.w;
}

uint sumOf(uvec4 four) { return four.x + four.y + four.z + four.w; }

/// Sums of chunks to sums of all chunks before, of the whole group; returns the block's.
uint scanChunks(uint lane, uint sum) {
  uint from = 0;
  chunkSums[lane] = sum;
  barrier();
  for (uint reach = 1; reach < params.laneCount; reach *= 2) {
    const uint upTo = chunkSums[from + lane] + (lane >= reach ? chunkSums[from + lane - reach] : 0);
    from = SCAN_SIZE - from;
    chunkSums[from + lane] = upTo;
    barrier();
  }
  const uint all = chunkSums[from + SCAN_SIZE - 1];
  const uint before = chunkSums[from + lane] - sum;
  barrier();
  chunkSums[lane] = before;  // read behind the barrier before the block is written
  return all;
}

bool isOfThisScan(uint state) { return state >> 16 == params.epoch; }

/// The farthest reaching sum of which both halves are there. One that was published by halves leaves the
/// other as it was: whoever stops in between stops nobody.
uvec2 stateOf(uint block) {
  const uint low = states[4 * block + 2], high = states[4 * block + 3];
  if (isOfThisScan(low) && isOfThisScan(high)) return uvec2(kPrefix, high << 16 | low & 0xFFFFu);
  const uint ownLow = states[4 * block], ownHigh = states[4 * block + 1];
  const bool valid = isOfThisScan(ownLow) && isOfThisScan(ownHigh);
  return uvec2(valid ? kLocal : kNothing, ownHigh << 16 | ownLow & 0xFFFFu);
}

uint halfState(uint sixteen) { return params.epoch << 16 | sixteen & 0xFFFFu; }

void publish(uint block, uint kind, uint sum) {
#if SCAN_MUTE
  if (block % SCAN_MUTE == SCAN_MUTE - 1) return;
#endif
  const uint at = 4 * block + (kind == kPrefix ? 2 : 0);
  states[at] = halfState(sum);
  states[at + 1] = halfState(sum >> 16);
}

/// Replaces what other scans have left, and nothing else.
void publishHalfFor(uint at, uint state) {
  const uint old = states[at];
  if (!isOfThisScan(old)) atomicCompSwap(states[at], old, state);
}

/// Sums a whole block in its stead. The whole group.
void publishFor(uint block, uint lane) {
  uint sum = 0;
  for (uint row = 0; row < params.quadCount; ++row)
    sum += sumOf(quads[block * (SCAN_BLOCK / 4) + row * SCAN_SIZE + lane]);
  memoryBarrierBuffer();  // whoever has overwritten what was read has published before
  chunkSums[SCAN_SIZE + lane] = sum;
  barrier();
  if (lane == 0) {
    uint all = 0;
    for (uint i = 0; i < params.laneCount; ++i) all += chunkSums[SCAN_SIZE + i];
    publishHalfFor(4 * block, halfState(all));
    publishHalfFor(4 * block + 1, halfState(all >> 16));
  }
  memoryBarrierBuffer();
}

/// Sum of all blocks before this one. All invocations look through the same window, so they agree.
uint sumBefore(uint block, uint lane) {
  uint sum = 0, left = block, polls = 0;
  while (left > 0) {
    for (uint i = lane; i < SCAN_WINDOW; i += SCAN_SIZE)
      window[i] = i < left ? stateOf(left - 1 - i) : uvec2(kPrefix, 0);
    barrier();
    const uint before = left;
    bool goesOn = true;
    for (uint i = 0; i < params.window && goesOn; ++i) {
      const uvec2 state = window[i];
      goesOn = state.x == kLocal;
      if (state.x == kNothing) continue;
      sum += state.y;
      left = state.x == kPrefix ? 0 : left - 1;
    }
    barrier();  // before the window is filled again
    polls = left < before ? 0 : polls + 1;
    if (polls > SCAN_POLLS) {
      publishFor(left - 1, lane);
      polls = 0;
    }
  }
  return sum;
}

void main() {
  const uint lane = gl_LocalInvocationIndex;
  if (lane == 0) {
    ticket = atomicAdd(next, 1);
    // Whoever is last leaves the counter as it was found.
    if (ticket == gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1) atomicExchange(next, 0);
  }
  barrier();
  const uint block = ticket, firstQuad = block * (SCAN_BLOCK / 4);
  const bool inRange = block < params.blockCount;
  const bool whole = (block + 1) * SCAN_BLOCK <= params.count;
  // Loops of no rounds instead of branches, which a software renderer pays for taken or not.
  const uint wholeRows = inRange && whole ? params.quadCount : 0;
  const uint tailRows = inRange && !whole ? params.quadCount : 0;

  // Read, and sum each quad.
  for (uint row = 0; row < wholeRows; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    quadSums[quadAt(quad)] = sumOf(quads[firstQuad + quad]);
  }
  for (uint row = 0; row < tailRows; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    quadSums[quadAt(quad)] = sumOf(readTailQuad(firstQuad + quad));
  }
  barrier();

  // Scan the quads of each chunk, and the chunks.
  uint chunkSum = 0;
  for (uint i = 0; i < wholeRows + tailRows; ++i) {
    const uint at = quadAt(lane * SCAN_QUADS + i);
    const uint sum = quadSums[at];
    quadSums[at] = chunkSum;
    chunkSum += sum;
  }
  const uint blockSum = scanChunks(lane, chunkSum);

  if (inRange && lane == 0) publish(block, kLocal, blockSum);
  const uint before = sumBefore(inRange ? block : 0, lane);
  if (inRange && lane == 0 && block > 0) publish(block, kPrefix, before + blockSum);
  memoryBarrierBuffer();  // published before anything is overwritten
  barrier();

  // Write.
  for (uint row = 0; row < wholeRows; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    const uvec4 four = quads[firstQuad + quad];
    const uint x = before + chunkSums[quad / SCAN_QUADS] + quadSums[quadAt(quad)];
    const uint y = x + four.x, z = y + four.y;
    prefix[firstQuad + quad] = uvec4(x, y, z, z + four.z);
  }
  for (uint row = 0; row < tailRows; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    const uvec4 four = readTailQuad(firstQuad + quad);
    const uint x = before + chunkSums[quad / SCAN_QUADS] + quadSums[quadAt(quad)];
    const uint y = x + four.x, z = y + four.y;
    writeTailQuad(firstQuad + quad, uvec4(x, y, z, z + four.z));
  }
}
