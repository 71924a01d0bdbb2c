// SPDX-License-Identifier: BSD-3-Clause
// Votes among the invocations of a subgroup, of at most 64. Its width is asked where it runs: drivers may
// choose one per program. BALLOT says how:
//   BALLOT 0: GL 4.5 alone, every invocation is a subgroup of its own
//   BALLOT 1: GL_ARB_shader_ballot; subgroups are taken to be runs of local indices, and wait for one
//             another by barrier(): only in uniform control flow
//   BALLOT 2: GL_KHR_shader_subgroup
#ifndef SHADERS_COMMON_BALLOT
#define SHADERS_COMMON_BALLOT
#ifndef BALLOT
#define BALLOT 0
#endif

#if BALLOT == 2
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
uvec2 ballotOf(bool vote) { return subgroupBallot(vote).xy; }
uint laneIndex() { return gl_SubgroupInvocationID; }
uint subgroupIndex() { return gl_SubgroupID; }
uint subgroupWidth() { return gl_SubgroupSize; }
#elif BALLOT == 1
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_ballot : require
uvec2 ballotOf(bool vote) { return unpackUint2x32(ballotARB(vote)); }
uint laneIndex() { return gl_SubGroupInvocationARB; }
uint subgroupIndex() { return gl_LocalInvocationIndex / gl_SubGroupSizeARB; }
uint subgroupWidth() { return gl_SubGroupSizeARB; }
#else
uvec2 ballotOf(bool vote) { return uvec2(vote ? 1 : 0, 0); }
uint laneIndex() { return 0; }
uint subgroupIndex() { return gl_LocalInvocationIndex; }
uint subgroupWidth() { return 1; }
#endif

/// The votes of the lanes below this one.
uvec2 lowerVotes(uvec2 votes) {
  const uint lane = laneIndex();
  const uint some = (1u << (lane & 31u)) - 1;
  return votes & (lane < 32 ? uvec2(some, 0) : uvec2(~0u, some));
}

uint voteCount(uvec2 votes) { return uint(bitCount(votes.x) + bitCount(votes.y)); }

/// The lowest lane that voted; 0 when none did.
uint firstVoter(uvec2 votes) {
  return votes.x != 0 ? uint(findLSB(votes.x)) : votes.y != 0 ? 32u + uint(findLSB(votes.y)) : 0u;
}

#endif
