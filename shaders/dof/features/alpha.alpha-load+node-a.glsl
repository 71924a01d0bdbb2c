// SPDX-License-Identifier: BSD-3-Clause
// Alpha as emit stored it.
#define NODE_ALPHA(j) unpackHalf2x16(NODE_Y(j)).y
