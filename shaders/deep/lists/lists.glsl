// SPDX-License-Identifier: BSD-3-Clause
// Fragments, and walking the list of a slot in any layout. Compiled for one LAYOUT, BLOCK (fragments
// per block of BIA, ABIA and RIA), WORDS (2: RGBA8 and Z; 4: half RGBA, Z, ZBack) and LISTS (how many
// deep images are bound). Buffer contents: shared.h.
//
// Address of the k-th fragment of slot p = 32 g + r in IA (B = 1) and BIA, with the exclusive offsets of
// the whole region and the group's minimum m, a multiple of B (Archer 2018, interleaved arrays; the
// tail formula simplified):
//   k <  m : offsets[32 g] + (k / B) * 32 B + r * B + k % B
//   k >= m : offsets[p] + (31 - r) * m + k
//
// ABIA moves group g up, so that it begins at ceil((offsets[32 g] + (B - 1) g) / B) * B: a block never
// straddles a multiple of B. The groups stay apart, because each may take B - 1 fragments of room.
//
// RIA interleaves all fragments, not only the first m of each list (Archer 2018, future work). Level l
// holds the fragments l B .. l B + B - 1 of the lists that reach so far, one list after the other by
// rank; with d_j the j-th largest count of the group, longest first, and q the rank of p, fragment k is at
//   offsets[32 g] + sum over all j of min(d_j, x) + sum over j < q of min(d_j - x, B) + k % B,  x = k - k % B
// A walk keeps the first sum as the start of the level, and the number of lists that reach into it; the
// second is q B but for the last block of a list, whose start is in extra.
#include "shaders/deep/lists/slots.glsl"

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

#if defined LOOPS_END
layout(std430, binding = DEEP_BIND_UNFINISHED) restrict buffer Unfinished { uint unfinished; };
#endif

/// Last in main() of whatever walks lists. llvmpipe ends the loops of an invocation, all together, after 65,535
/// rounds and says nothing; every loop that follows makes a single one. So this one, of two, knows. (Its rounds must
/// not be foreseen: compilers would unroll it. There are 32 slots at least.)
void expectWhole() {
#if defined LOOPS_END
  uint rounds = 0u;
  for (uint left = min(params.slotCount, 4u); left > 1u; left >>= 1) ++rounds;
  if (rounds < 2u) atomicOr(unfinished, 1u);
#endif
}

#define DEEP_COUNT_MASK ((1u << DEEP_RANK_SHIFT) - 1u)

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

/// x is strictly behind y: by Z, then ZBack.
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

/// Sorts behind every depth that is not NaN, whatever its color.
#if WORDS == 2
const Fragment kPad = Fragment(0xFFFFFFFFu, 0x7FFFFFFFu);
#else
const Fragment kPad = Fragment(0xFFFFFFFFu, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x7FFFFFFFu);
#endif

/// Premultiplied linear color.
vec4 colorOf(Fragment f) {
#if WORDS == 2
  vec4 color = unpackUnorm4x8(f.x);
  return vec4(color.rgb * color.a, color.a);
#else
  return vec4(unpackHalf2x16(f.x), unpackHalf2x16(f.y));
#endif
}

/// The state of a walk along one list. LL: `at` is the node, 0 at the end. Arrays: `at` is k.
struct Cursor {
  uint at;
  uint end;      // arrays: fragments in the list
  uint base;     // LL: address of node 0. LA: of k = 0. IA, BIA, ABIA: of the interleaved part. RIA: of the level
  uint tail;     // IA, BIA, ABIA: what k is added to in the tail. RIA: lists that reach into the level
  uint minimum;  // IA, BIA, ABIA: fragments of each list in the group that are interleaved. RIA: where
                 // the list's rank counts in extra: the group's first entry + rank
#if LAYOUT == DEEP_LAYOUT_RIA
  uint start;    // address of the block under the cursor
  uint last;     // address of the list's last block
  uint minCount; // fragments of the shortest list that reaches into the level
#endif
};

Cursor noList() {
#if LAYOUT == DEEP_LAYOUT_RIA
  return Cursor(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
#else
  return Cursor(0u, 0u, 0u, 0u, 0u);
#endif
}

uint listCount(int list, uint slot) {
#if LAYOUT == DEEP_LAYOUT_LA
  return table[list].items[slot] - (slot > 0u ? table[list].items[slot - 1u] : 0u);
#else
  return counts[list].items[slot];
#endif
}

/// `bases` are those of shared.h where several images share the buffers of `list`.
Cursor openList(int list, uint slot, uvec4 bases) {
  Cursor c = noList();
#if LAYOUT == DEEP_LAYOUT_LL
  c.at = table[list].items[bases.x + slot];
  c.base = bases.w;
#elif LAYOUT == DEEP_LAYOUT_LA
  c.base = slot > 0u ? table[list].items[bases.x + slot - 1u] : 0u;
  c.end = table[list].items[bases.x + slot] - c.base;
  c.base += bases.w;
#else
  uint group = slot / DEEP_GROUP, lane = slot % DEEP_GROUP;
  uint first = table[list].items[bases.x + group * DEEP_GROUP];
  c.end = counts[list].items[bases.y + slot];
#if LAYOUT == DEEP_LAYOUT_RIA
  c.base = bases.w + first;
  c.tail = DEEP_GROUP;
  c.minimum = bases.z + group * DEEP_GROUP + (extra[list].items[bases.z + slot] >> DEEP_RANK_SHIFT);
  c.last = c.base + extra[list].items[bases.z + params.slotCount + slot];
  c.minCount = extra[list].items[bases.z + group * DEEP_GROUP + DEEP_GROUP - 1u] & DEEP_COUNT_MASK;
#else
  c.minimum = extra[list].items[bases.z + group];
  uint moved = bases.w;
#if LAYOUT == DEEP_LAYOUT_ABIA
  uint spaced = first + group * (INTERLEAVE - 1u);
  moved += (spaced + INTERLEAVE - 1u) / INTERLEAVE * INTERLEAVE - first;
#endif
  c.base = moved + first + lane * INTERLEAVE;
  c.tail = moved + table[list].items[bases.x + slot] + (DEEP_GROUP - 1u - lane) * c.minimum;
#endif
#endif
  return c;
}

Cursor openList(int list, uint slot) { return openList(list, slot, uvec4(0u)); }

bool atEnd(Cursor c) {
#if LAYOUT == DEEP_LAYOUT_LL
  return c.at == 0u;
#else
  return c.at >= c.end;
#endif
}

#if LAYOUT == DEEP_LAYOUT_RIA
/// The i-th largest count of a group, given the group's first entry.
uint rankedCount(int list, uint entry) { return extra[list].items[entry] & DEEP_COUNT_MASK; }

/// Moves to the block that the cursor has come to; before each fragment, not at the end.
void enterBlock(int list, inout Cursor c) {
  if (c.at % INTERLEAVE != 0u) return;
  if (c.end - c.at <= INTERLEAVE) {
    c.start = c.last;
    return;
  }
  // Leave the level before: lists that end there filled it in part, and drop out. Its own list continues.
  if (c.at > 0u) {
    c.base += c.tail * INTERLEAVE;
    while (c.minCount <= c.at) {
      c.base -= c.at - c.minCount;
      --c.tail;
      c.minCount = rankedCount(list, c.minimum - c.minimum % DEEP_GROUP + c.tail - 1u);
    }
  }
  c.start = c.base + c.minimum % DEEP_GROUP * INTERLEAVE;
}

/// The address of fragment k of list 0, whose cursor was opened and not moved: goes through the counts of
/// the group, so walk where you can.
uint addressOf(Cursor c, uint k) {
  uint level = k - k % INTERLEAVE, rank = c.minimum % DEEP_GROUP;
  if (c.end - level <= INTERLEAVE) return c.last + k % INTERLEAVE;
  uint address = c.base + rank * INTERLEAVE + k % INTERLEAVE;
  for (uint j = 0u; j < c.tail; ++j)
    address += min(rankedCount(0, c.minimum - rank + j), level);
  return address;
}
#elif LAYOUT != DEEP_LAYOUT_LL
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
  Fragment f = data[list].items[c.base + c.at];
  c.at = extra[list].items[c.base + c.at];
#elif LAYOUT == DEEP_LAYOUT_RIA
  enterBlock(list, c);
  Fragment f = data[list].items[c.start + c.at % INTERLEAVE];
  ++c.at;
#else
  Fragment f = data[list].items[addressOf(c, c.at)];
  ++c.at;
#endif
  return f;
}

/// Overwrites the fragment under the cursor and moves on; the links of a linked list stay.
void store(int list, inout Cursor c, Fragment f) {
#if LAYOUT == DEEP_LAYOUT_LL
  data[list].items[c.base + c.at] = f;
  c.at = extra[list].items[c.base + c.at];
#elif LAYOUT == DEEP_LAYOUT_RIA
  enterBlock(list, c);
  data[list].items[c.start + c.at % INTERLEAVE] = f;
  ++c.at;
#else
  data[list].items[addressOf(c, c.at)] = f;
  ++c.at;
#endif
}
