// SPDX-License-Identifier: BSD-3-Clause
// Sorting lists by length class: networks in registers, runs of them merged, and beyond 512
// fragments one work group per list (Archer 2018 with the register block sort and backwards memory
// allocation of its base).
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

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

void Pipeline::sort(FragmentLists& lists, const shared::Summary& summary) {
  const std::uint32_t groups = lists.slotCount / DEEP_GROUP;
  if (summary.classes[0] < groups) {
    // Groups of one class become neighbors: scan the flags, then write each group at its place.
    scanner_.exclusive(order_, order_, std::size_t(DEEP_CLASSES) * groups);
    ensure(groups_, "groups by length", groups);
    gpu::Pass& compact = pass("compact groups", "compact_groups.comp", anySlots(lists.shape));
    compact.storage(DEEP_BIND_ORDER, order_)
        .storage(DEEP_BIND_SCRATCH, groups_)
        .params(DEEP_BIND_PARAMS, params(lists));
    compact.dispatch(groups);
    gpu::barrier(gpu::Reader::Storage);  // sort lists
  }

  const bool inPlace = sortMethod_ == SortMethod::InPlace ||
                       (sortMethod_ == SortMethod::Auto && gpu_.device().software);
  const auto sortGroups = [&](std::uint32_t first, std::uint32_t count,
                              std::vector<gpu::Define> defines) {
    if (count == 0) return;
    gpu::Pass& p = pass("sort lists", "sort_lists.comp", anySlots(lists.shape), std::move(defines));
    shared::Params range = params(lists);
    range.first = first;
    range.count = count;
    bind(p, lists).storage(DEEP_BIND_SCRATCH, groups_).params(DEEP_BIND_PARAMS, range);
    p.dispatch(std::uint64_t(count) * DEEP_GROUP);
  };
  std::uint32_t first = summary.classes[0];
  if (inPlace) {
    sortGroups(first, groups - first, {{"IN_PLACE", 1}});
  } else {
    for (int c = 1; c < DEEP_CLASSES; ++c) {
      const int most = 4 << c, sorted = std::min(most, 32);
      sortGroups(
          first, summary.classes[c],
          {{"SORTED", sorted}, {"RUNS", most / sorted}, {"NETWORK", sortingNetwork(sorted)}});
      first += summary.classes[c];
    }
  }
  if (summary.longLists > 0) sortLong(lists, summary);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // merge lists, download
}

void Pipeline::sortLong(FragmentLists& lists, const shared::Summary& summary) {
  ensure(longLists_, "long lists", 2 * std::uint64_t(summary.longLists));
  ensure(longScratch_, "scratch of long lists",
         2 * std::uint64_t(summary.longFragments) * std::uint64_t(lists.shape.words()));
  const std::uint32_t zero[2] = {0, 0};
  summary_.write(zero, sizeof zero, offsetof(shared::Summary, longLists));
  gpu::Pass& list = pass("list long lists", "list_long_lists.comp", anySlots(lists.shape));
  bind(list, lists)
      .storage(DEEP_BIND_SUMMARY, summary_)
      .storage(DEEP_BIND_ORDER, longLists_)
      .params(DEEP_BIND_PARAMS, params(lists));
  list.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // sort long lists

  gpu::Pass& p = pass("sort long lists", "sort_long_lists.comp", anySlots(lists.shape));
  shared::Params range = params(lists);
  range.first = summary.longLists;
  range.count = summary.longFragments;
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, longLists_)
      .storage(DEEP_BIND_SCRATCH, longScratch_)
      .params(DEEP_BIND_PARAMS, range);
  p.dispatchGroups(summary.longLists);
}

}  // namespace fathom::deep
