// SPDX-License-Identifier: BSD-3-Clause
// Where lanes cannot exchange values: chunks of 32 in shared memory, with the group in lockstep.
#define CHUNK 32u
#define LANE gl_LocalInvocationIndex
shared uvec4 chunkNodes[32];
#define CHUNK_NODE(j) chunkNodes[j]
#define CHUNK_STORE(node) chunkNodes[LANE] = node
#define CHUNK_SYNC memoryBarrierShared(); barrier()
