// SPDX-License-Identifier: BSD-3-Clause
// Turns every linked list around, in place: one invocation per slot. Needed when one input of a merge runs
// back to front and the other does not.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/shared.h"
#ifndef LAYOUT
#define LAYOUT DEEP_LAYOUT_LL
#endif
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint previous = 0u, node = table[0].items[slot];
  while (node != 0u) {
    uint next = extra[0].items[node];
    extra[0].items[node] = previous;
    previous = node;
    node = next;
  }
  table[0].items[slot] = previous;
  expectWhole();
}
