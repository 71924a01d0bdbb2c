// SPDX-License-Identifier: BSD-3-Clause
// Merging the sorted lists of several images, saved as a deep image or composited on the way: two
// at a time, or up to DEEP_MAX_WAYS in one pass (Archer 2018, future work); and compositing lists
// that are merged. Composited pictures are Rgba32f; the region of the lists is written.
#pragma once

#include "app/engine/deep/lists/list_store.h"
#include "app/engine/deep/operations/z_range.h"

#include <span>
#include <vector>

namespace fathom::deep {

struct MergePlan;  // merge_plan.h

class ListMerger {
 public:
  explicit ListMerger(ListStore& store) : store_(store) {}

  /// Merges any number of inputs by settings.strategy, until one is left or, for compositing, as
  /// many as composite() takes at once. The lists that are left, in order, point into `inputs` and
  /// `merged`, which keeps what lies between.
  std::vector<FragmentLists*> mergeDown(std::span<FragmentLists* const> inputs,
                                        std::vector<FragmentLists>& merged,
                                        const Settings& settings, bool toOne);
  std::vector<FragmentLists*> mergeDown(std::span<FragmentLists> inputs,
                                        std::vector<FragmentLists>& merged,
                                        const Settings& settings, bool toOne);

  /// Saves the merged deep image; equal (Z, ZBack) keeps `front` first. Linked lists of unequal
  /// direction are brought into one: the inputs may be reversed.
  void merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
             FragmentLists& out);
  /// The same for 3 to DEEP_MAX_WAYS inputs, in one pass over all of them; equal (Z, ZBack) keeps
  /// the first in front. The inputs are pooled.
  void mergeMany(std::span<FragmentLists* const> inputs, const Settings& settings,
                 FragmentLists& out);

  /// Composites one list, two or many.
  void composite(std::span<FragmentLists* const> lists, const Settings& settings,
                 const gpu::Texture& picture);
  void mergeComposite(FragmentLists& front, FragmentLists& back, const Settings& settings,
                      const gpu::Texture& picture);
  void mergeManyComposite(std::span<FragmentLists* const> inputs, const Settings& settings,
                          const gpu::Texture& picture);
  void flatten(const FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture);
  /// Only the fragments that are peeled out.
  void peel(const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
            const gpu::Texture& picture);

 private:
  /// Room in `merged` for the result of each step, and pools for passes that read many.
  void prepareSteps(std::span<FragmentLists* const> inputs, const MergePlan& plan,
                    std::vector<FragmentLists>& merged);
  /// The device allows too few storage blocks for the pass over two: that over many takes them from
  /// one pool.
  bool poolsPairs(const ListShape& shape) const;
  void alignDirections(std::span<FragmentLists* const> inputs);
  std::vector<gpu::Define> mergeDefines(const FragmentLists& input, const Settings& settings) const;
  gpu::Pass& manyPass(std::span<FragmentLists* const> inputs, const ListShape& shape,
                      const Settings& settings, std::vector<gpu::Define> defines);

  ListStore& store_;
};

}  // namespace fathom::deep
