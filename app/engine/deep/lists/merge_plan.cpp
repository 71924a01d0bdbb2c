// SPDX-License-Identifier: BSD-3-Clause
// Merging neighbors until few enough lists are left: in levels of pairs, or always the neighbors
// with the fewest fragments.
#include "app/engine/deep/lists/merge_plan.h"

#include "app/engine/core/error.h"
#include "shaders/deep/shared.h"

#include <numeric>

namespace fathom::deep {
namespace {

class Planner {
 public:
  explicit Planner(std::span<const std::uint64_t> fragmentCounts)
      : counts_(fragmentCounts.begin(), fragmentCounts.end()) {
    plan_.left.resize(counts_.size());
    std::iota(plan_.left.begin(), plan_.left.end(), std::size_t(0));
  }

  /// One level of a tree: first with second, third with fourth; an odd one waits.
  void mergePairs() {
    for (std::size_t at = 0; at + 1 < plan_.left.size(); ++at) merge(at, 2);
  }
  /// Those `ways` neighbors that hold the fewest fragments.
  void mergeFewest(std::size_t ways) {
    std::size_t best = 0;
    std::uint64_t fewest = UINT64_MAX;
    for (std::size_t at = 0; at + ways <= plan_.left.size(); ++at) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < ways; ++i) sum += counts_[plan_.left[at + i]];
      if (sum < fewest) fewest = sum, best = at;
    }
    merge(best, ways);
  }
  std::size_t leftCount() const { return plan_.left.size(); }
  MergePlan take() { return std::move(plan_); }

 private:
  /// left[at .. at + ways) becomes one.
  void merge(std::size_t at, std::size_t ways) {
    const auto first = plan_.left.begin() + std::ptrdiff_t(at), last = first + std::ptrdiff_t(ways);
    std::uint64_t sum = 0;
    for (auto list = first; list != last; ++list) sum += counts_[*list];
    plan_.steps.emplace_back(first, last);
    *first = counts_.size();
    plan_.left.erase(first + 1, last);
    counts_.push_back(sum);
  }

  MergePlan plan_;
  std::vector<std::uint64_t> counts_;  // by number
};

}  // namespace

MergePlan planMerge(std::span<const std::uint64_t> fragmentCounts, Strategy strategy, bool toOne) {
  FATHOM_CHECK(strategy != Strategy::Auto);
  constexpr std::size_t ways = DEEP_MAX_WAYS;
  Planner planner(fragmentCounts);
  if (strategy == Strategy::Pairwise) {
    while (planner.leftCount() > (toOne ? 1U : 2U)) planner.mergePairs();
    return planner.take();
  }
  // Each pass takes `ways` lists and leaves one; the first takes what does not come out even.
  if (planner.leftCount() > ways) planner.mergeFewest((planner.leftCount() - 2) % (ways - 1) + 2);
  while (planner.leftCount() > ways) planner.mergeFewest(ways);
  if (toOne && planner.leftCount() > 1) planner.mergeFewest(planner.leftCount());
  return planner.take();
}

}  // namespace fathom::deep
