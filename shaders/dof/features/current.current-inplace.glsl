// SPDX-License-Identifier: BSD-3-Clause
// Each word is read where it lies, when it is needed.
#define CURRENT_COPY(j)
#define NODE_X(j) CHUNK_NODE(j).x
#define NODE_Y(j) CHUNK_NODE(j).y
#define NODE_Z(j) CHUNK_NODE(j).z
#define NODE_W(j) CHUNK_NODE(j).w
