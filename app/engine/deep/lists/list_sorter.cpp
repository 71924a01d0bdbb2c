// SPDX-License-Identifier: BSD-3-Clause
// Sorting lists by length class: networks in registers, runs of them merged, and beyond 512
// fragments one work group per list (Archer 2018 with the register block sort and backwards memory
// allocation of its base).
#include "app/engine/deep/lists/list_sorter.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace fathom::deep {

std::string sortingNetwork(int n) {
  std::string text;
  for (int p = 1; p < n; p *= 2)
    for (int k = p; k >= 1; k /= 2)
      for (int j = k % p; j + k < n; j += 2 * k)
        for (int i = 0; i < std::min(k, n - j - k); ++i)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p))
            text += fmt::format("CX({}, {}) ", i + j, i + j + k);
  return text;
}

namespace {

/// Of lists of up to DEEP_LONGEST: insertion into what is sorted already, or networks and merges.
gpu::DispatchCost shortCost(const FragmentLists& lists, bool inPlace) {
  const double longest = std::min<std::uint32_t>(lists.longest, DEEP_LONGEST);
  const double steps = inPlace ? longest / 2 : 45;  // of a fragment; 45 in a network of 512
  return {30.0 * lists.slotCount + 6 * steps * lists.fragmentCount,
          inPlace ? longest * longest / 4 : 2 * longest};
}

/// Of longer ones: networks over DEEP_LONG_RUN fragments in shared memory, then rounds that look
/// for each fragment's place. A work group shares a list, but one invocation alone walks a chain.
gpu::DispatchCost longCost(const FragmentLists& lists, const shared::Summary& summary) {
  const double rounds = std::bit_width(summary.longest / DEEP_LONG_RUN);
  const double looks = rounds * std::bit_width(summary.longest);
  const double each = double(summary.longest) / DEEP_LONG_SIZE;
  return {(6 * 55 + 6 * looks) * summary.longFragments,
          each * (4 + looks) + (isLinked(lists.shape) ? 2.0 * summary.longest : 0)};
}

}  // namespace

void ListSorter::sort(FragmentLists& lists, const shared::Summary& summary) {
  const std::uint32_t groups = lists.groupCount();
  std::uint32_t first = summary.classes[0];  // lists of one fragment at most need no sorting
  if (first < groups) collectGroups(lists);

  const bool inPlace = method_ == SortMethod::InPlace ||
                       (method_ == SortMethod::Auto && store_.gpu().device().software);
  if (inPlace) {
    sortGroups(lists, first, groups - first, {{"IN_PLACE", 1}}, shortCost(lists, true));
  } else {
    for (int c = 1; c < DEEP_CLASSES; ++c) {
      const int longest = 4 << c, sorted = std::min(longest, 32);
      sortGroups(
          lists, first, summary.classes[c],
          {{"SORTED", sorted}, {"RUNS", longest / sorted}, {"NETWORK", sortingNetwork(sorted)}},
          shortCost(lists, false));
      first += summary.classes[c];
    }
  }
  if (summary.longLists > 0) sortLong(lists, summary);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // merge lists, download
}

void ListSorter::collectGroups(FragmentLists& lists) {
  // Scan the flags, then write each group at its place.
  ListStore::Scratch& scratch = store_.scratch();
  const std::uint32_t groups = lists.groupCount();
  store_.scanner().exclusive(scratch.order, scratch.order, std::size_t(DEEP_CLASSES) * groups);
  store_.ensure(scratch.groups, "groups by length", groups);
  gpu::Pass& compact =
      store_.pass("compact groups", "lists/compact_groups.comp", anySlots(lists.shape));
  compact.storage(DEEP_BIND_ORDER, scratch.order)
      .storage(DEEP_BIND_SCRATCH, scratch.groups)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(compact, groups, gpu::Each{20 * DEEP_CLASSES});
  gpu::barrier(gpu::Reader::Storage);  // sort lists
}

void ListSorter::sortGroups(FragmentLists& lists, std::uint32_t first, std::uint32_t count,
                            std::vector<gpu::Define> defines, const gpu::DispatchCost& cost) {
  if (count == 0) return;
  gpu::Pass& p =
      store_.pass("sort lists", "lists/sort_lists.comp", anySlots(lists.shape), std::move(defines));
  shared::Params range = paramsOf(lists);
  range.first = first;
  range.count = count;
  bind(p, lists)
      .storage(DEEP_BIND_SCRATCH, store_.scratch().groups)
      .params(DEEP_BIND_PARAMS, range);
  gpu::dispatch(p, std::uint64_t(count) * DEEP_GROUP, cost);
}

void ListSorter::sortLong(FragmentLists& lists, const shared::Summary& summary) {
  ListStore::Scratch& scratch = store_.scratch();
  store_.ensure(scratch.longLists, "long lists", 2 * std::uint64_t(summary.longLists));
  store_.ensure(scratch.lists, "scratch of long lists",
                2 * std::uint64_t(summary.longFragments) * std::uint64_t(lists.shape.words()));
  const std::uint32_t zero[2] = {0, 0};
  store_.summary().write(zero, sizeof zero, offsetof(shared::Summary, longLists));
  gpu::Pass& list =
      store_.pass("list long lists", "lists/list_long_lists.comp", anySlots(lists.shape));
  bind(list, lists)
      .storage(DEEP_BIND_SUMMARY, store_.summary())
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(list, lists.slotCount, gpu::Each{20});
  gpu::barrier(gpu::Reader::Storage);  // sort long lists

  gpu::Pass& p =
      store_.pass("sort long lists", "lists/sort_long_lists.comp", anySlots(lists.shape));
  shared::Params range = paramsOf(lists);
  range.first = summary.longLists;
  range.count = summary.longFragments;
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, scratch.longLists)
      .storage(DEEP_BIND_SCRATCH, scratch.lists)
      .params(DEEP_BIND_PARAMS, range);
  gpu::dispatchGroups(p, summary.longLists, longCost(lists, summary));
}

}  // namespace fathom::deep
