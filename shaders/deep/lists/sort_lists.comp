// SPDX-License-Identifier: BSD-3-Clause
// Sorts lists of up to SORTED fragments in place: one invocation per slot of the groups of a length class
// (sortedGroups[params.first .. + params.count)). They are read into registers and sorted there by Batcher's
// odd-even merge network (Archer 2018, register block sort), given as NETWORK: compare-exchanges CX(i,j) with
// constant indices. The order is total, so every run gives the same result. Linked lists move data along
// the chain; links stay. IN_PLACE sorts lists of any class where they are, in short code.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

#pragma optionNV(unroll all)  // NVIDIA: arrays of registers, not of memory
#ifndef SORTED
#define SORTED 2
#define NETWORK CX(0, 1)
#endif

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Groups { uint sortedGroups[]; };

#define CX(i, j)               \
  if (isAfter(f[i], f[j])) {   \
    Fragment greater = f[i];   \
    f[i] = f[j];               \
    f[j] = greater;            \
  }

#if defined IN_PLACE
// Short code for renderers that have no registers to gain from and compile slowly.
#if LAYOUT == DEEP_LAYOUT_LL
/// Bottom-up merge sort of the chain itself: runs of 1, 2, 4, ... are merged by relinking.
void sortInPlace(uint slot, uint n) {
  uint head = table[0].items[slot];
  for (uint length = 1u; length < n; length *= 2u) {
    uint left = head, last = 0u;
    head = 0u;
    while (left != 0u) {
      uint right = left, leftCount = 0u, rightCount = length;
      while (leftCount < length && right != 0u) {
        ++leftCount;
        right = extra[0].items[right];
      }
      while (leftCount > 0u || (rightCount > 0u && right != 0u)) {
        bool takesLeft =
            leftCount > 0u && (rightCount == 0u || right == 0u ||
                               !isAfter(data[0].items[left], data[0].items[right]));
        uint node = takesLeft ? left : right;
        if (takesLeft) {
          left = extra[0].items[left];
          --leftCount;
        } else {
          right = extra[0].items[right];
          --rightCount;
        }
        if (last == 0u)
          head = node;
        else
          extra[0].items[last] = node;
        last = node;
      }
      left = right;
    }
    extra[0].items[last] = 0u;
  }
  table[0].items[slot] = head;
}
#else
/// Shell's sort with gaps that shrink by 5/11 (Gonnet and Baeza-Yates 1991).
void sortInPlace(uint slot, uint n) {
  Cursor c = openList(0, slot);
  for (uint gap = n < 12u ? 1u : n * 5u / 11u; gap > 0u; gap = gap == 2u ? 1u : gap * 5u / 11u) {
    for (uint i = gap; i < n; ++i) {
      Fragment moved = data[0].items[addressOf(c, i)];
      uint j = i;
      while (j >= gap) {
        Fragment before = data[0].items[addressOf(c, j - gap)];
        if (!isAfter(before, moved)) break;
        data[0].items[addressOf(c, j)] = before;
        j -= gap;
      }
      if (j != i) data[0].items[addressOf(c, j)] = moved;
    }
  }
}
#endif
#endif

void main() {
  uint item = invocationIndex();
  if (item >= params.count * DEEP_GROUP) return;
  uint slot = sortedGroups[params.first + item / DEEP_GROUP] * DEEP_GROUP + item % DEEP_GROUP;
  uint n = listCount(0, slot);
#if defined IN_PLACE
  if (n < 2u || n > DEEP_LONGEST) return;
  sortInPlace(slot, n);
#else
  if (n < 2u || n > SORTED) return;
  Fragment f[SORTED];
  Cursor reader = openList(0, slot);
  for (int i = 0; i < SORTED; ++i) {
    f[i] = kPad;
    if (i < int(n)) f[i] = fetch(0, reader);
  }
  NETWORK
  Cursor writer = openList(0, slot);
  for (int i = 0; i < SORTED; ++i)
    if (i < int(n)) store(0, writer, f[i]);
#endif
  expectWhole();
}
