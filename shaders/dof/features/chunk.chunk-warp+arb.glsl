// SPDX-License-Identifier: BSD-3-Clause
// A subgroup loads one node per lane; the nodes stay in registers and are read across lanes. All
// lanes of the subgroup reach every read of a word.
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#define CHUNK gl_SubGroupSizeARB
#define LANE gl_SubGroupInvocationARB
uvec4 laneNode = uvec4(0u);
#define LANE_WORD(j, word) readInvocationARB(laneNode.word, j)
#define CHUNK_NODE(j) uvec4(LANE_WORD(j, x), LANE_WORD(j, y), LANE_WORD(j, z), LANE_WORD(j, w))
#define CHUNK_STORE(node) laneNode = node
#define CHUNK_SYNC
