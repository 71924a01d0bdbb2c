// SPDX-License-Identifier: BSD-3-Clause
// Sorting the lists of an image by depth. Lists are sorted by length class, so that each program
// has registers for just the lists it meets.
#pragma once

#include "app/engine/deep/lists/list_store.h"

namespace fathom::deep {

class ListSorter {
 public:
  explicit ListSorter(ListStore& store) : store_(store) {}

  /// Auto is InPlace on software renderers and Network elsewhere.
  void setMethod(SortMethod method) { method_ = method; }
  /// Every list by (Z, ZBack, words). `summary` is the result of ListStore::summarize() for the
  /// lists.
  void sort(FragmentLists& lists, const shared::Summary& summary);

 private:
  /// Groups of one length class become neighbors in scratch().groups.
  void collectGroups(FragmentLists& lists);
  void sortGroups(FragmentLists& lists, std::uint32_t first, std::uint32_t count,
                  std::vector<gpu::Define> defines, const gpu::DispatchCost& cost);
  void sortLong(FragmentLists& lists, const shared::Summary& summary);

  ListStore& store_;
  SortMethod method_ = SortMethod::Auto;
};

}  // namespace fathom::deep
