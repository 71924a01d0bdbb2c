// SPDX-License-Identifier: BSD-3-Clause
// Alpha follows from the radius, and from the opacity of the fragment, which stands in its place.
#define NODE_ALPHA(j) (unpackHalf2x16(NODE_Y(j)).y * dofAlpha(NODE_RADIUS2(j)))
