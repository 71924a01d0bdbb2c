// SPDX-License-Identifier: BSD-3-Clause
// Layout b: r2 is a half beside blue, z takes its place.
#define NODE_RADIUS2(j) unpackHalf2x16(NODE_Y(j)).y
#define NODE_COLOR(j) vec3(unpackHalf2x16(NODE_X(j)), unpackHalf2x16(NODE_Y(j)).x)
