// SPDX-License-Identifier: BSD-3-Clause
// Merges the lists of two deep images, one invocation per slot (Archer 2018): METHOD 0 stepwise, each
// fragment read when it is compared; METHOD 1 register block merge, BLOCK fragments of each list read at
// once into registers and merged there. OUTPUT 0 composites while merging and writes the picture; OUTPUT 1
// saves the merged list. Equal (Z, ZBack) keeps list 0 in front.
//
// DESCENDING: both lists run back to front, as a linked list does that was saved by pushing (LINK 0, one
// atomic per fragment); the farther fragment is taken first and list 1 wins ties, so that a second push
// restores the same order. LINK 1 takes all nodes of a slot with one atomic and links them forward.
#ifndef OUTPUT
#define OUTPUT 0
#endif
#ifndef METHOD
#define METHOD 1
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
#include "shaders/deep/lists.glsl"
#include "shaders/deep/over.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

#if OUTPUT == 0
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;
vec4 composited = vec4(0.0);

void emit(Fragment f) {
#if DESCENDING
  overFront(composited, colorOf(f));
#else
  overBehind(composited, colorOf(f));
#endif
}
#else
#if LAYOUT == DEEP_LAYOUT_LL
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
#endif
// Where the next fragment goes; a linked list saved by pushing: its newest node.
Cursor target = Cursor(0u, 0u, 0u, 0u, 0u);

void emit(Fragment f) {
#if LAYOUT != DEEP_LAYOUT_LL
  store(2, target, f);
#elif LINK == 0
  uint node = 1u + atomicAdd(summary.nodes, 1u);
  data[2].items[node] = f;
  extra[2].items[node] = target.at;
  target.at = node;
#else
  data[2].items[target.at] = f;
  extra[2].items[target.at] = target.at + 1u < target.end ? target.at + 1u : 0u;
  ++target.at;
#endif
}
#endif

/// Is the head of list 0 next, or that of list 1?
bool takesFirst(Fragment a, Fragment b) {
#if DESCENDING
  return isBehind(a, b);
#else
  return !isBehind(a, b);
#endif
}

bool isEnough() {
#if OUTPUT == 0 && !DESCENDING
  return isHidden(composited);
#else
  return false;
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
/// Reads up to BLOCK fragments with constant register indices; returns how many.
int refill(int list, inout Cursor c, inout Fragment block[BLOCK]) {
  int filled = 0;
#if LAYOUT == DEEP_LAYOUT_LL
  for (int j = 0; j < BLOCK; ++j)
    if (!atEnd(c)) {
      block[j] = fetch(list, c);
      filled = j + 1;
    }
#elif LAYOUT == DEEP_LAYOUT_IA
  for (int j = 0; j < BLOCK; ++j)
    if (c.at + uint(j) < c.end) {
      block[j] = data[list].items[addressOf(c, c.at + uint(j))];
      filled = j + 1;
    }
  c.at += uint(filled);
#else
  // LA: the list is contiguous. BIA: blocks of BLOCK are, because the minimum is a multiple of it.
  uint base = addressOf(c, c.at);
  for (int j = 0; j < BLOCK; ++j)
    if (c.at + uint(j) < c.end) {
      block[j] = data[list].items[base + uint(j)];
      filled = j + 1;
    }
  c.at += uint(filled);
#endif
  return filled;
}

void mergeLists(uint slot) {
  Cursor ca = openList(0, slot), cb = openList(1, slot);
  Fragment a[BLOCK], b[BLOCK];
  for (int j = 0; j < BLOCK; ++j) {
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
      for (int j = 0; j + 1 < BLOCK; ++j) a[j] = a[j + 1];
      --countA;
    } else {
      for (int j = 0; j + 1 < BLOCK; ++j) b[j] = b[j + 1];
      --countB;
    }
  }
}
#endif

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;

#if OUTPUT == 0
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;
  mergeLists(slot);
  imageStore(result, ivec2(pixel + uvec2(params.originX, params.originY)), composited);
#elif LAYOUT == DEEP_LAYOUT_LL && LINK == 0
  mergeLists(slot);
  table[2].items[slot] = target.at;
#elif LAYOUT == DEEP_LAYOUT_LL
  uint n = counts[2].items[slot];
  uint first = n > 0u ? 1u + atomicAdd(summary.nodes, n) : 0u;
  target = Cursor(first, first + n, 0u, 0u, 0u);
  table[2].items[slot] = first;
  mergeLists(slot);
#else
  target = openList(2, slot);
  mergeLists(slot);
#endif
}
