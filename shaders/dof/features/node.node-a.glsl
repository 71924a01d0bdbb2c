// SPDX-License-Identifier: BSD-3-Clause
// Layout a: r2 is a float of its own, alpha lies beside blue.
#define NODE_RADIUS2(j) uintBitsToFloat(NODE_Z(j))
#define NODE_COLOR(j) vec3(unpackHalf2x16(NODE_X(j)), unpackHalf2x16(NODE_Y(j)).x)
