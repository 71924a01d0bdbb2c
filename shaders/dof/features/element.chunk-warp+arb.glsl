// SPDX-License-Identifier: BSD-3-Clause
// Node j of the chunk, when it covers the pixel of some lane. Words are read across lanes outside
// of what single lanes decide.
  CURRENT_COPY(j)
  bool hit = covers(position, NODE_W(j), NODE_RADIUS2(j));
  hit = EXIT_LIVE && hit;
  if (anyInvocationARB(hit)) {
    vec3 color = NODE_COLOR(j);
    float alpha = NODE_ALPHA(j);
    if (hit) blend(sum, through, color, alpha);
    EXIT_ELEMENT
  }
