// SPDX-License-Identifier: BSD-3-Clause
// Alpha follows from the radius.
#define NODE_ALPHA(j) dofAlpha(NODE_RADIUS2(j))
