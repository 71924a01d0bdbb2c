// SPDX-License-Identifier: BSD-3-Clause
// Merges up to WAYS lists per slot in one pass, one invocation per slot: each fragment is read once and
// written once, however many images are merged (Archer 2018, future work). All inputs lie in one pool,
// bound as list 0; sources says where each begins, params.count how many there are. The heads of all lists
// stand in registers and the nearest is taken by a tournament over constant indices; equal (Z, ZBack)
// keeps the lowest input in front, as iterated pairwise merging does. REGISTERS 1 reads a fragment when
// its list is at the head (stepwise); more reads blocks of so many, whose rest moves up as they are taken.
// What becomes of the fragments: merge_output.glsl.
//
// DESCENDING: all lists run back to front; the farthest is taken first and the highest input wins ties.
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
#include "shaders/deep/lists.glsl"
#include "shaders/deep/over.glsl"
const int kOut = 1;
#include "shaders/deep/merge_output.glsl"
#include "shaders/deep/register_block.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_SOURCES) uniform Sources { DeepSources sources; };

const uint kFinished = 0xFFFFFFFFu;  // behind every depth

/// What is taken first has the least key.
uint orderKey(uint bits) {
#if DESCENDING
  return ~depthKey(bits);
#else
  return depthKey(bits);
#endif
}

/// The head of a later input is taken before that of an earlier one.
bool goesBefore(uint laterKey, Fragment later, uint earlierKey, Fragment earlier) {
#if WORDS == 2
  uint laterBack = 0u, earlierBack = 0u;
#else
  uint laterBack = orderKey(FRAGMENT_ZBACK(later)), earlierBack = orderKey(FRAGMENT_ZBACK(earlier));
#endif
#if DESCENDING
  return laterKey < earlierKey || (laterKey == earlierKey && laterBack <= earlierBack);
#else
  return laterKey < earlierKey || (laterKey == earlierKey && laterBack < earlierBack);
#endif
}

/// Only what a walk changes: the rest of the cursor is already the same.
void moveTo(inout Cursor c, Cursor walked) {
  c.at = walked.at;
#if LAYOUT == DEEP_LAYOUT_RIA
  c.base = walked.base;
  c.tail = walked.tail;
  c.start = walked.start;
#endif
}

void mergeLists(uint slot) {
  Cursor cursor[WAYS];
  Fragment head[WAYS][REGISTERS];
  uint key[WAYS];   // of head[i][0]
  int filled[WAYS]; // fragments in head[i]
  for (int i = 0; i < WAYS; ++i) {
    cursor[i] = noList();
    filled[i] = 0;
    for (int j = 0; j < REGISTERS; ++j) head[i][j] = Fragment(0u);
    if (uint(i) < params.count) {
      cursor[i] = openList(0, slot, sources.bases[i]);
      filled[i] = refill(0, cursor[i], head[i]);
    }
    key[i] = filled[i] > 0 ? orderKey(FRAGMENT_Z(head[i][0])) : kFinished;
  }

  while (!isEnough()) {
    // The nearest head, and the cursor of its list.
    Fragment nearest = head[0][0];
    uint nearestKey = key[0];
    int from = 0;
    Cursor walk = cursor[0];
    for (int i = 1; i < WAYS; ++i)
      if (goesBefore(key[i], head[i][0], nearestKey, nearest)) {
        nearest = head[i][0];
        nearestKey = key[i];
        from = i;
        walk = cursor[i];
      }
    if (nearestKey == kFinished) break;
    emit(nearest);

    // Its block moves up; when nothing is left of it, one place in the code reads the next for all lists.
    Fragment next[REGISTERS];
    int left = 0;
#if REGISTERS > 1
    for (int j = 0; j < REGISTERS; ++j) next[j] = Fragment(0u);
    for (int i = 0; i < WAYS; ++i)
      if (i == from) {
        left = filled[i] - 1;
        for (int j = 0; j + 1 < REGISTERS; ++j) next[j] = head[i][j + 1];
      }
    if (left == 0) left = refill(0, walk, next);
#else
    next[0] = Fragment(0u);
    left = refill(0, walk, next);
#endif
    uint nextKey = left > 0 ? orderKey(FRAGMENT_Z(next[0])) : kFinished;
    for (int i = 0; i < WAYS; ++i)
      if (i == from) {
        head[i] = next;
        key[i] = nextKey;
        filled[i] = left;
        moveTo(cursor[i], walk);
      }
  }
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  if (!beginOutput(slot)) return;
  mergeLists(slot);
  endOutput(slot);
}
