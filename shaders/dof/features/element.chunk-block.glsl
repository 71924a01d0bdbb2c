// SPDX-License-Identifier: BSD-3-Clause
// Node j of the chunk, when it covers the pixel.
  CURRENT_COPY(j)
  if (covers(position, NODE_W(j), NODE_RADIUS2(j))) {
    blend(sum, through, NODE_COLOR(j), NODE_ALPHA(j));
    EXIT_ELEMENT
  }
