// SPDX-License-Identifier: BSD-3-Clause
// Fragments, and walking the list of a slot in any layout. Compiled for one LAYOUT, BLOCK (fragments
// per block of BIA and of the register block merge), WORDS (2: RGBA8 and Z; 4: half RGBA, Z, ZBack) and
// LISTS (how many deep images are bound). Buffer contents: shared.h.
//
// Address of the k-th fragment of slot p = 32 g + r in IA (B = 1) and BIA, with the exclusive offsets of
// the whole region and the group's minimum m, a multiple of B (Archer 2018, interleaved arrays; the
// tail formula simplified):
//   k <  m : offsets[32 g] + (k / B) * 32 B + r * B + k % B
//   k >= m : offsets[p] + (31 - r) * m + k
#include "shaders/deep/slots.glsl"

#ifndef WORDS
#define WORDS 4
#endif
#ifndef LISTS
#define LISTS 1
#endif

#if WORDS == 2
#define Fragment uvec2
#define FRAGMENT_Z(f) (f).y
#define FRAGMENT_ZBACK(f) (f).y
#else
#define Fragment uvec4
#define FRAGMENT_Z(f) (f).z
#define FRAGMENT_ZBACK(f) (f).w
#endif

layout(std430, binding = DEEP_BIND_TABLE) restrict buffer Table { uint items[]; } table[LISTS];
#if LAYOUT != DEEP_LAYOUT_LA
layout(std430, binding = DEEP_BIND_COUNTS) restrict buffer Counts { uint items[]; } counts[LISTS];
layout(std430, binding = DEEP_BIND_EXTRA) restrict buffer Extra { uint items[]; } extra[LISTS];
#endif
layout(std430, binding = DEEP_BIND_DATA) restrict buffer Data { Fragment items[]; } data[LISTS];

#if LAYOUT == DEEP_LAYOUT_IA
#define INTERLEAVE 1u
#else
#define INTERLEAVE uint(BLOCK)
#endif

/// Float bits that order as unsigned integers; -0 as +0. Comparing integers keeps denormal depths apart
/// on every device.
uint depthKey(uint bits) {
  bits = bits == 0x80000000u ? 0u : bits;
  return bits ^ ((bits >> 31) != 0u ? 0xFFFFFFFFu : 0x80000000u);
}

/// x lies strictly behind y: by Z, then ZBack.
bool isBehind(Fragment x, Fragment y) {
  uint zx = depthKey(FRAGMENT_Z(x)), zy = depthKey(FRAGMENT_Z(y));
#if WORDS == 2
  return zx > zy;
#else
  return zx > zy || (zx == zy && depthKey(FRAGMENT_ZBACK(x)) > depthKey(FRAGMENT_ZBACK(y)));
#endif
}

/// The total order of sorting: what still ties is identical, so the arrival order of atomics leaves no
/// trace.
bool isAfter(Fragment x, Fragment y) {
  uint zx = depthKey(FRAGMENT_Z(x)), zy = depthKey(FRAGMENT_Z(y));
#if WORDS == 2
  return zx > zy || (zx == zy && x.x > y.x);
#else
  uint bx = depthKey(FRAGMENT_ZBACK(x)), by = depthKey(FRAGMENT_ZBACK(y));
  return zx > zy ||
         (zx == zy && (bx > by || (bx == by && (x.x > y.x || (x.x == y.x && x.y > y.y)))));
#endif
}

/// Premultiplied linear color.
vec4 colorOf(Fragment f) {
#if WORDS == 2
  vec4 color = unpackUnorm4x8(f.x);
  return vec4(color.rgb * color.a, color.a);
#else
  return vec4(unpackHalf2x16(f.x), unpackHalf2x16(f.y));
#endif
}

/// Where a walk along one list stands. LL: `at` is the node, 0 at the end. Arrays: `at` is k.
struct Cursor {
  uint at;
  uint end;      // arrays: fragments in the list
  uint base;     // LA: address of k = 0; IA, BIA: of the interleaved part
  uint tail;     // IA, BIA: what k is added to in the tail
  uint minimum;  // IA, BIA: fragments of each list in the group that are interleaved
};

uint listCount(int list, uint slot) {
#if LAYOUT == DEEP_LAYOUT_LA
  return table[list].items[slot] - (slot > 0u ? table[list].items[slot - 1u] : 0u);
#else
  return counts[list].items[slot];
#endif
}

Cursor openList(int list, uint slot) {
  Cursor c = Cursor(0u, 0u, 0u, 0u, 0u);
#if LAYOUT == DEEP_LAYOUT_LL
  c.at = table[list].items[slot];
#elif LAYOUT == DEEP_LAYOUT_LA
  c.base = slot > 0u ? table[list].items[slot - 1u] : 0u;
  c.end = table[list].items[slot] - c.base;
#else
  uint group = slot / DEEP_GROUP, lane = slot % DEEP_GROUP;
  c.end = counts[list].items[slot];
  c.minimum = extra[list].items[group];
  c.base = table[list].items[group * DEEP_GROUP] + lane * INTERLEAVE;
  c.tail = table[list].items[slot] + (DEEP_GROUP - 1u - lane) * c.minimum;
#endif
  return c;
}

bool atEnd(Cursor c) {
#if LAYOUT == DEEP_LAYOUT_LL
  return c.at == 0u;
#else
  return c.at >= c.end;
#endif
}

#if LAYOUT != DEEP_LAYOUT_LL
/// The address of fragment k; arrays only.
uint addressOf(Cursor c, uint k) {
#if LAYOUT == DEEP_LAYOUT_LA
  return c.base + k;
#else
  return k < c.minimum
             ? c.base + (k / INTERLEAVE) * (DEEP_GROUP * INTERLEAVE) + k % INTERLEAVE
             : c.tail + k;
#endif
}
#endif

/// Reads the fragment under the cursor and moves on; not at the end.
Fragment fetch(int list, inout Cursor c) {
#if LAYOUT == DEEP_LAYOUT_LL
  Fragment f = data[list].items[c.at];
  c.at = extra[list].items[c.at];
#else
  Fragment f = data[list].items[addressOf(c, c.at)];
  ++c.at;
#endif
  return f;
}

/// Overwrites the fragment under the cursor and moves on; the links of a linked list stay.
void store(int list, inout Cursor c, Fragment f) {
#if LAYOUT == DEEP_LAYOUT_LL
  data[list].items[c.at] = f;
  c.at = extra[list].items[c.at];
#else
  data[list].items[addressOf(c, c.at)] = f;
  ++c.at;
#endif
}
