// SPDX-License-Identifier: BSD-3-Clause
// Merges the lists of two deep images, one invocation per slot (Archer 2018): METHOD 0 stepwise, each
// fragment read when it is compared; METHOD 1 register block merge, REGISTERS fragments of each list read
// at once into registers and merged there. What becomes of them: merge_output.glsl. Equal (Z, ZBack) keeps
// list 0 in front.
//
// DESCENDING: both lists run back to front, as a linked list does that was saved by pushing; the farther
// fragment is taken first and list 1 wins ties, so that a second push restores the same order.
#pragma optionNV(unroll all)  // NVIDIA: arrays of registers, not of memory
#ifndef OUTPUT
#define OUTPUT 0
#endif
#ifndef METHOD
#define METHOD 1
#endif
#ifndef REGISTERS
#define REGISTERS 4
#endif
#ifndef DESCENDING
#define DESCENDING 0
#endif
#ifndef LINK
#define LINK 1
#endif
#if OUTPUT == 1
#define LISTS 3
#else
#define LISTS 2
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/over.glsl"
const int kOut = 2;
#include "shaders/deep/lists/merge_output.glsl"
#include "shaders/deep/lists/register_block.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

/// Is the head of list 0 next, or that of list 1?
bool takesFirst(Fragment a, Fragment b) {
#if DESCENDING
  return isBehind(a, b);
#else
  return !isBehind(a, b);
#endif
}

#if METHOD == 0
void mergeLists(uint slot) {
  Cursor ca = openList(0, slot), cb = openList(1, slot);
  bool hasA = !atEnd(ca), hasB = !atEnd(cb);
  Fragment a = Fragment(0u), b = Fragment(0u);
  if (hasA) a = fetch(0, ca);
  if (hasB) b = fetch(1, cb);
  while ((hasA || hasB) && !isEnough()) {
    if (hasA && (!hasB || takesFirst(a, b))) {
      emit(a);
      hasA = !atEnd(ca);
      if (hasA) a = fetch(0, ca);
    } else {
      emit(b);
      hasB = !atEnd(cb);
      if (hasB) b = fetch(1, cb);
    }
  }
}
#else
void mergeLists(uint slot) {
  Cursor ca = openList(0, slot), cb = openList(1, slot);
  Fragment a[REGISTERS], b[REGISTERS];
  for (int j = 0; j < REGISTERS; ++j) {
    a[j] = Fragment(0u);
    b[j] = Fragment(0u);
  }
  int countA = 0, countB = 0;
  while (!isEnough()) {
    if (countA == 0) countA = refill(0, ca, a);
    if (countB == 0) countB = refill(1, cb, b);
    if (countA + countB == 0) break;
    // The heads stay in register 0: taking one shifts its block, so no index is dynamic.
    bool first = countA > 0 && (countB == 0 || takesFirst(a[0], b[0]));
    Fragment f = b[0];
    if (first) f = a[0];
    emit(f);
    if (first) {
      for (int j = 0; j + 1 < REGISTERS; ++j) a[j] = a[j + 1];
      --countA;
    } else {
      for (int j = 0; j + 1 < REGISTERS; ++j) b[j] = b[j + 1];
      --countB;
    }
  }
}
#endif

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  if (!beginOutput(slot)) return;
  mergeLists(slot);
  endOutput(slot);
  expectWhole();
}
