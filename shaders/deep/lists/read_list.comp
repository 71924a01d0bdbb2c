// SPDX-License-Identifier: BSD-3-Clause
// Copies the list of one slot (params.first) for the inspector: order[0] is its count, scratch the first
// params.count fragments. One invocation.
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = 1) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict writeonly buffer Count { uint listLength; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict writeonly buffer List { Fragment fragments[]; };

void main() {
  uint slot = params.first;
  listLength = listCount(0, slot);
  Cursor c = openList(0, slot);
  for (uint i = 0u; i < params.count && !atEnd(c); ++i) fragments[i] = fetch(0, c);
  expectWhole();
}
