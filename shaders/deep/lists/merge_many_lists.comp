// SPDX-License-Identifier: BSD-3-Clause
// Merges up to WAYS lists per slot in one pass, one invocation per slot: each fragment is read once and
// written once, however many images are merged (Archer 2018, future work). All inputs lie in one pool,
// bound as list 0; sources holds where each begins, params.count their number. The heads of all lists
// are kept in registers and the nearest is taken by a tournament over constant indices; equal (Z, ZBack)
// keeps the lowest input in front, as iterated pairwise merging does. REGISTERS 1 reads a fragment when
// its list is at the head (stepwise); more reads blocks of that many, whose rest moves up as they are taken.
// What becomes of the fragments: merge_output.glsl.
//
// DESCENDING: all lists run back to front; the farthest is taken first and the highest input wins ties.
#pragma optionNV(unroll all)  // NVIDIA: arrays of registers, not of memory
#ifndef OUTPUT
#define OUTPUT 0
#endif
#ifndef WAYS
#define WAYS 4
#endif
#ifndef REGISTERS
#define REGISTERS 1
#endif
#ifndef DESCENDING
#define DESCENDING 0
#endif
#ifndef LINK
#define LINK 1
#endif
#if OUTPUT == 1
#define LISTS 2
#else
#define LISTS 1
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/over.glsl"
const int kOut = 1;
#include "shaders/deep/lists/merge_output.glsl"
#include "shaders/deep/lists/register_block.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_SOURCES) uniform Sources { DeepSources sources; };

const uint kFinished = 0xFFFFFFFFu;  // behind every depth

/// The smallest key is taken first.
uint orderKey(uint bits) {
#if DESCENDING
  return ~depthKey(bits);
#else
  return depthKey(bits);
#endif
}

uint backKey(Fragment f) {
#if WORDS == 2
  return 0u;
#else
  return orderKey(FRAGMENT_ZBACK(f));
#endif
}

/// The head of a later input is taken before that of an earlier one; by Z, then ZBack.
bool goesBefore(uvec2 later, uvec2 earlier) {
#if DESCENDING
  return later.x < earlier.x || (later.x == earlier.x && later.y <= earlier.y);
#else
  return later.x < earlier.x || (later.x == earlier.x && later.y < earlier.y);
#endif
}

Cursor cursor[WAYS];
Fragment head[WAYS][REGISTERS];  // what has been read of each list and not been taken
int filled[WAYS];                // how many
uint key[WAYS];                  // of head[i][0]

void openLists(uint slot) {
  for (int i = 0; i < WAYS; ++i) {
    cursor[i] = noList();
    filled[i] = 0;
    for (int j = 0; j < REGISTERS; ++j) head[i][j] = Fragment(0u);
  }
  Fragment block[REGISTERS];
  for (int j = 0; j < REGISTERS; ++j) block[j] = Fragment(0u);
  for (int i = 0; i < WAYS; ++i) {
    key[i] = kFinished;
    if (uint(i) < params.count) {
      cursor[i] = openList(0, slot, sources.bases[i]);
      filled[i] = refill(0, cursor[i], block);
      head[i] = block;
      if (filled[i] > 0) key[i] = orderKey(FRAGMENT_Z(head[i][0]));
    }
  }
}

/// The list whose head is next. The tournament is over keys alone: fragments would have to move along.
bool nearestList(out int from) {
  uvec2 nearest = uvec2(key[0], backKey(head[0][0]));
  from = 0;
  for (int i = 1; i < WAYS; ++i) {
    uvec2 other = uvec2(key[i], backKey(head[i][0]));
    if (goesBefore(other, nearest)) {
      nearest = other;
      from = i;
    }
  }
  return nearest.x != kFinished;
}

/// Only what a walk changes: the rest of the cursor is already the same.
void putBack(int i, Fragment block[REGISTERS], int left, Cursor walk) {
  head[i] = block;
  filled[i] = left;
  key[i] = left > 0 ? orderKey(FRAGMENT_Z(block[0])) : kFinished;
  cursor[i].at = walk.at;
#if LAYOUT == DEEP_LAYOUT_RIA
  cursor[i].base = walk.base;
  cursor[i].tail = walk.tail;
  cursor[i].start = walk.start;
  cursor[i].minCount = walk.minCount;
#endif
}

void mergeLists(uint slot) {
  openLists(slot);
  int from;
  while (!isEnough() && nearestList(from)) {
    Fragment block[REGISTERS] = head[0];
    int left = filled[0];
    Cursor walk = cursor[0];
    for (int i = 1; i < WAYS; ++i)
      if (i == from) {
        block = head[i];
        left = filled[i];
        walk = cursor[i];
      }
    emit(block[0]);
    // The block moves up; when nothing is left of it, one place in the code reads on for all lists.
    for (int j = 0; j + 1 < REGISTERS; ++j) block[j] = block[j + 1];
    --left;
    if (REGISTERS == 1 || left == 0) left = refill(0, walk, block);
    for (int i = 0; i < WAYS; ++i)
      if (i == from) putBack(i, block, left, walk);
  }
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  if (!beginOutput(slot)) return;
  mergeLists(slot);
  endOutput(slot);
  expectWhole();
}
