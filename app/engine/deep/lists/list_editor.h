// SPDX-License-Identifier: BSD-3-Clause
// The operations of operations/operations.h on the GPU, as passes over sorted lists: count what
// comes out, make tables, write. Linked lists that run back to front are reversed; `out` is another
// object.
#pragma once

#include "app/engine/deep/lists/list_arranger.h"
#include "app/engine/deep/lists/list_sorter.h"
#include "app/engine/deep/operations/operations.h"

#include <array>
#include <string>

namespace fathom::deep {

class ListEditor {
 public:
  ListEditor(ListStore& store, ListArranger& arranger, ListSorter& sorter)
      : store_(store), arranger_(arranger), sorter_(sorter) {}

  void editDepths(FragmentLists& in, const InputEdit& edit, bool hasVolumes, FragmentLists& out);
  /// `in` has no volumes, or is tidy.
  void hold(FragmentLists& in, FragmentLists& matte, Role role, HoldRule rule, FragmentLists& out);
  void tidy(FragmentLists& in, FragmentLists& out);
  void dropHidden(FragmentLists& in, float alpha, FragmentLists& out);
  /// Returns how far light that shows was moved.
  float thin(FragmentLists& in, int maxCount, FragmentLists& out);
  /// Composites what tidy() would make, in float: nothing is rounded in between.
  void flattenTidy(FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture);

 private:
  /// What a pass reads again for each fragment: nothing, the volumes that overlap there, or what
  /// edit_thin.comp keeps of the list.
  enum class Rescans { Nothing, Overlaps, Blocks };
  struct EditPass {
    std::string name, file;
    std::array<std::uint32_t, 4> words{};  // count, spareA, spareB, spareC of its params
    bool usesScratch = false;              // 4 words per fragment of the input
    bool countsApart = false;              // a program that only counts (COUNTS 1)
    bool sorts = false;                    // lists may come out unsorted
    Rescans rescans = Rescans::Nothing;
  };
  static gpu::DispatchCost editCost(Rescans rescans, const FragmentLists& in,
                                    const FragmentLists* matte);
  std::uint32_t edit(const EditPass& wanted, FragmentLists& in, FragmentLists* matte,
                     FragmentLists& out);
  void dispatch(const EditPass& wanted, bool writes, FragmentLists& in, FragmentLists* matte,
                FragmentLists& out);

  ListStore& store_;
  ListArranger& arranger_;
  ListSorter& sorter_;
  FragmentLists plainIn_, plainMatte_, plainOut_;  // linearized, for operations on RIA
};

}  // namespace fathom::deep
