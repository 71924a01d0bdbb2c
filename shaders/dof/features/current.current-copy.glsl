// SPDX-License-Identifier: BSD-3-Clause
// The whole entry goes to registers first.
#define CURRENT_COPY(j) uvec4 current = CHUNK_NODE(j);
#define NODE_X(j) current.x
#define NODE_Y(j) current.y
#define NODE_Z(j) current.z
#define NODE_W(j) current.w
