// SPDX-License-Identifier: BSD-3-Clause
// Each word comes across lanes when it is needed.
#define CURRENT_COPY(j)
#define NODE_X(j) LANE_WORD(j, x)
#define NODE_Y(j) LANE_WORD(j, y)
#define NODE_Z(j) LANE_WORD(j, z)
#define NODE_W(j) LANE_WORD(j, w)
