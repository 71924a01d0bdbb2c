// SPDX-License-Identifier: BSD-3-Clause
// Second half of the exclusive prefix sum. One work group per block of SCAN_BLOCK words; reads the
// block and the sum of all blocks before it, writes the prefix sums. Input and output may be the same
// buffer: every quad is read and written by one invocation. Deterministic: sums of integers.
//
//   for each block: for each of SCAN_QUADS rows: for each of SCAN_SIZE invocations: a quad
//
// SCAN_TAIL 1: the last block, which is not whole; the word after the last counts 0 and receives the
// total. A variant of its own, because a software renderer pays for every branch not taken.
#include "shaders/common/invocation.glsl"
#include "shaders/common/shared.h"
#ifndef SCAN_TAIL
#define SCAN_TAIL 0
#endif
layout(local_size_x = SCAN_SIZE) in;

layout(std430, binding = SCAN_BIND_IN) readonly buffer In { uvec4 quads[]; };
layout(std430, binding = SCAN_BIND_SUMS) readonly buffer Sums { uint sums[]; };
layout(std430, binding = SCAN_BIND_OUT) writeonly buffer Out { uvec4 prefix[]; };
layout(std140, binding = SCAN_BIND_PARAMS) uniform Params { ScanParams params; };

// Chunk c holds the quads from c * SCAN_QUADS on: as many chunks as invocations.
shared uint quadSums[SCAN_SIZE * (SCAN_QUADS + 1)];  // a gap after each chunk: no bank conflicts
shared uint chunkSums[SCAN_SIZE];
shared uint chunkStarts[SCAN_SIZE];

uint quadAt(uint quad) { return quad + quad / SCAN_QUADS; }

uvec4 readQuad(uint quad) {
#if SCAN_TAIL
  if (4 * quad >= params.count) return uvec4(0);
  const uvec4 four = quads[quad];
  return mix(uvec4(0), four, lessThan(4 * quad + uvec4(0, 1, 2, 3), uvec4(params.count)));
#else
  return quads[quad];
#endif
}

void writeQuad(uint quad, uvec4 four) {
#if SCAN_TAIL
  const uint first = 4 * quad;
  if (first <= params.count) prefix[quad].x = four.x;
  if (first + 1 <= params.count) prefix[quad].y = four.y;
  if (first + 2 <= params.count) prefix[quad].z = four.z;
  if (first + 3 <= params.count) prefix[quad].w = four.w;
#else
  prefix[quad] = four;
#endif
}

void main() {
  const uint block = groupIndex() + params.firstBlock;
  const uint firstQuad = block * (SCAN_BLOCK / 4);
  const uint lane = gl_LocalInvocationID.x;
  const bool inRange = groupIndex() < params.blockCount;

  // Read, and sum each quad.
  for (uint row = 0; row < params.quadCount; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    const uvec4 four = inRange ? readQuad(firstQuad + quad) : uvec4(0);
    quadSums[quadAt(quad)] = four.x + four.y + four.z + four.w;
  }
  barrier();

  // Scan the quads of each chunk.
  uint chunkSum = 0;
  for (uint i = 0; i < params.quadCount; ++i) {
    const uint at = quadAt(lane * SCAN_QUADS + i);
    const uint sum = quadSums[at];
    quadSums[at] = chunkSum;
    chunkSum += sum;
  }
  chunkSums[lane] = chunkSum;
  barrier();

  // Scan the chunks, after the blocks before.
  uint start = inRange && block > 0 ? sums[block] : 0;
  for (uint i = 0; i < params.laneCount; ++i) start += i < lane ? chunkSums[i] : 0;
  chunkStarts[lane] = start;
  barrier();

  // Write.
  if (!inRange) return;
  for (uint row = 0; row < params.quadCount; ++row) {
    const uint quad = row * SCAN_SIZE + lane;
    const uvec4 four = readQuad(firstQuad + quad);
    const uint x = chunkStarts[quad / SCAN_QUADS] + quadSums[quadAt(quad)];
    const uint y = x + four.x, z = y + four.y;
    writeQuad(firstQuad + quad, uvec4(x, y, z, z + four.z));
  }
}
