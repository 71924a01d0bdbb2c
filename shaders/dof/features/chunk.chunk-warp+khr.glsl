// SPDX-License-Identifier: BSD-3-Clause
// A subgroup loads one node per lane into its own slice of shared memory. The host makes sure that
// subgroups are full.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#define CHUNK gl_SubgroupSize
#define LANE gl_SubgroupInvocationID
shared uvec4 chunkNodes[DOF_TILE_PIXELS];
#define CHUNK_NODE(j) chunkNodes[gl_SubgroupID * gl_SubgroupSize + (j)]
#define CHUNK_STORE(node) CHUNK_NODE(LANE) = node
#define CHUNK_SYNC subgroupMemoryBarrierShared(); subgroupBarrier()
