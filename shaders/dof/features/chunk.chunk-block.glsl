// SPDX-License-Identifier: BSD-3-Clause
// The group loads as many nodes as it has invocations and shares them.
#define CHUNK uint(DOF_TILE_PIXELS)
#define LANE gl_LocalInvocationIndex
shared uvec4 chunkNodes[DOF_TILE_PIXELS];
#define CHUNK_NODE(j) chunkNodes[j]
#define CHUNK_STORE(node) chunkNodes[LANE] = node
#define CHUNK_SYNC memoryBarrierShared(); barrier()
