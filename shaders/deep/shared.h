// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and GLSL share for deep images (Archer, Leach, van Schyndel
// 2018).
//
// A deep image on the GPU is four buffers; what they hold depends on the layout (P slots, F
// fragments):
//
//   layout   table                         counts    extra                       data
//   LL       uint[P] first node, 0: none   uint[P]   uint[capacity] next node    Fragment[capacity]
//   LA       uint[P+1] end of each list    -         -                           Fragment[F]
//   IA BIA   uint[P+1] exclusive offsets   uint[P]   uint[P/32] group minimum    Fragment[F]
//   ABIA     as BIA; data has room for B - 1 more fragments per group
//   RIA      as BIA                        uint[P]   uint[2 P] ranks             Fragment[F]
//
// ranks[32 g + i] of RIA packs two values: its low 27 bits the i-th largest count of group g, its high 5
// bits the rank of list i by count, 0 the longest. ranks[P + p] is where the last block of list p begins,
// counted from the start of the group. Node 0 of a linked list is never used: 0 is the end. Slots come in groups of 32: in 2x8 order a
// group is a block of 4 x 8 pixels. Width and height of a region are padded to multiples of 4 and
// 8, so P is a multiple of 32 and padding slots are empty lists.
#ifndef SHADERS_DEEP_SHARED_H
#define SHADERS_DEEP_SHARED_H

#define DEEP_LAYOUT_LL 0
#define DEEP_LAYOUT_LA 1
#define DEEP_LAYOUT_IA 2
#define DEEP_LAYOUT_BIA 3
#define DEEP_LAYOUT_RIA 4   // rank-interleaved
#define DEEP_LAYOUT_ABIA 5  // BIA whose groups begin at multiples of the block

#define DEEP_SLOTS_RASTER 0
#define DEEP_SLOTS_TILE2X8 1

#define DEEP_GROUP 32       // slots that interleave: one warp of the paper's hardware
#define DEEP_PASS_SIZE 64   // invocations per work group of the passes over slots
#define DEEP_LONG_SIZE 128  // invocations per work group of sort_long_lists.comp
#define DEEP_LONG_RUN 1024  // fragments that it sorts at once in shared memory (16 KiB)
#define DEEP_CLASSES 8      // length classes: 0..1, ..8, ..16, ..32, ..64, ..128, ..256, ..512
#define DEEP_LONGEST 512    // longer lists go to sort_long_lists.comp
#define DEEP_LONGEST_SHARED 64  // the same where lists are not sorted in place
#define DEEP_SHARED_SIZE 256    // invocations per work group of sort_group_lists.comp
#define DEEP_MAX_WAYS 16   // inputs of merge_many_lists.comp
#define DEEP_RANK_SHIFT 27  // ranks of RIA: count below, rank above

// Storage. Lists are arrays of blocks: input a, input b, result; list i is at these numbers + i.
#define DEEP_BIND_TABLE 0
#define DEEP_BIND_COUNTS 3
#define DEEP_BIND_EXTRA 6
#define DEEP_BIND_DATA 9
#define DEEP_BIND_SUMMARY \
  12                        // DeepSummary   capture, summarize_groups, list_long_lists, merge_lists
#define DEEP_BIND_ORDER 13  // uint[]        see the pass
#define DEEP_BIND_SCRATCH 14  // uint[] or Fragment[], see the pass
#define DEEP_BIND_UNFINISHED 15   // uint          lists.glsl, expectWhole()
#define DEEP_BIND_NODES 0     // atomic counter: next free node of a linked list, starts at 1
#define DEEP_BIND_PARAMS 0    // uniform       DeepParams, host
#define DEEP_BIND_SOURCES 1   // uniform       DeepSources, host
#define DEEP_IMAGE_RESULT 0   // rgba32f       the whole picture

#ifdef __cplusplus
#include <cstdint>
namespace fathom::deep::shared {
using uint = std::uint32_t;
struct Params {
#else
struct DeepParams {
#endif
  uint width, height;     // pixels of the region
  uint paddedWidth;       // multiple of 4
  uint slotCount;         // P
  uint originX, originY;  // of the region in the picture
  uint capacity;          // fragments (LL: nodes) that data can hold
  uint first, count;      // see the pass
  uint spareA, spareB, spareC;
};

// Where each input of a merge begins in the pool of all: first entry in table, counts and extra, first
// fragment in data.
#ifdef __cplusplus
struct Sources {
  uint bases[DEEP_MAX_WAYS][4];
};
#else
struct DeepSources {
  uvec4 bases[DEEP_MAX_WAYS];
};
#endif

#ifdef __cplusplus
struct Summary {
#else
struct DeepSummary {
#endif
  uint fragmentsLow, fragmentsHigh;  // 64-bit number of fragments
  uint longest;                      // of all lists
  uint longLists, longFragments;     // lists beyond the longest that are short, and their fragments
  uint refused;  // writes that did not fit: the passes disagreed, the result is void
  uint nodes;    // LL save: nodes handed out
  uint spare;
  uint classes[DEEP_CLASSES];  // groups per length class
};

#ifdef __cplusplus
static_assert(sizeof(Params) == 48 && sizeof(Summary) == 64 &&
              sizeof(Sources) == 16 * DEEP_MAX_WAYS);
}  // namespace fathom::deep::shared
#endif
#endif
