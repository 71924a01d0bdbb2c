// SPDX-License-Identifier: BSD-3-Clause
// Merging the sorted lists of several images, saved as a deep image or composited on the way: two
// at a time, or up to DEEP_MAX_WAYS in one pass (Archer 2018, future work); and compositing lists
// that are merged; and the edits of lists, before and after. Composited pictures are Rgba32f; the
// region of the lists is written.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

// ---- Which inputs are merged with which

/// Two by two in levels, or up to DEEP_MAX_WAYS in one pass and more in rounds. Inputs that are
/// merged are always neighbors, so that of equal depths the first input stays in front.
struct MergePlan {
  /// Lists are numbered: the inputs, then the result of each step. At least two per step.
  std::vector<std::vector<std::size_t>> steps;
  std::vector<std::size_t> left;  // what is not merged any more, in order
};

/// Strategy is not Auto. With `toOne` a single list is left; else as many as one pass composites: 2
/// pairwise, DEEP_MAX_WAYS k-way. Rounds of the k-way merge are few and the first takes as few
/// fragments as it can, so that all later ones are full (Knuth, The Art of Computer Programming 3,
/// 5.4.9, with the order kept).
MergePlan planMerge(std::span<const std::uint64_t> fragmentCounts, Strategy strategy, bool toOne);

// ---- Pools: the lists of several images in the same buffers

/// Puts the lists of several images (one shape, one region) into the same buffers, one image after
/// the other, by copying them once; nothing happens when they are there already. A pass over k
/// images would need 4 k storage blocks, and devices may have as few as 8; with a pool it needs 8
/// (LL: 9), and passes over one image bind its slice of each buffer. A list whose buffers are not
/// made yet gets room for its fragmentCount: a merge writes into it later. The result of a merge is
/// as large as the pool of its inputs, so that saving needs no smaller regions than before. Throws
/// DoesNotFit.
void pool(ListStore& store, std::span<FragmentLists* const> lists);

/// Binds pooled inputs as list 0, and where each begins.
gpu::Program& bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs);

// ---- Merging

/// Merges any number of inputs by settings.strategy, until one is left or, for compositing, as many
/// as compositeLists() takes at once. The lists that are left, in order, point into `inputs` and
/// `merged`, which keeps what lies between.
std::vector<FragmentLists*> mergeDown(ListStore& store, std::span<FragmentLists* const> inputs,
                                      std::vector<FragmentLists>& merged, const Settings& settings,
                                      bool toOne);

/// Saves the merge of 2 to DEEP_MAX_WAYS inputs, in one pass over all of them; equal (Z, ZBack)
/// keeps the first in front. More than two are pooled. Linked lists of unequal direction are
/// brought into one: the inputs may be reversed.
void mergeLists(ListStore& store, std::span<FragmentLists* const> inputs, const Settings& settings,
                FragmentLists& out);

// ---- Compositing

/// Composites up to DEEP_MAX_WAYS lists in one pass.
void compositeLists(ListStore& store, std::span<FragmentLists* const> lists,
                    const Settings& settings, const gpu::Texture& picture);
void flattenLists(ListStore& store, const FragmentLists& lists, EarlyOut earlyOut,
                  const gpu::Texture& picture);
/// Composites only the fragments that are peeled out.
void peelLists(ListStore& store, const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
               const gpu::Texture& picture);

// ---- The operations of operations/operations.h, as passes over sorted lists: count what comes
// out, make tables, write. Linked lists that run back to front are reversed; `out` is another
// object.

void editDepths(ListStore& store, FragmentLists& in, const InputEdit& edit, bool hasVolumes,
                FragmentLists& out);
/// `in` has no volumes, or is tidy.
void holdLists(ListStore& store, FragmentLists& in, FragmentLists& matte, Role role, HoldRule rule,
               FragmentLists& out);
void tidyLists(ListStore& store, FragmentLists& in, FragmentLists& out);
void dropHidden(ListStore& store, FragmentLists& in, float alpha, FragmentLists& out);
/// Returns how far light that shows was moved.
float thinLists(ListStore& store, FragmentLists& in, int maxCount, FragmentLists& out);
/// Composites what tidyLists() would make, in float: nothing is rounded in between.
void flattenTidy(ListStore& store, FragmentLists& lists, EarlyOut earlyOut,
                 const gpu::Texture& picture);

}  // namespace fathom::deep
