// SPDX-License-Identifier: BSD-3-Clause
// Which inputs are merged with which: the order is kept, passes are full, little is moved twice.
#include "app/engine/deep/lists/merge_lists.h"

#include "shaders/deep/shared.h"

#include <gtest/gtest.h>

#include <numeric>

namespace fathom::deep {
namespace {

using Step = std::vector<std::size_t>;

std::vector<std::uint64_t> ones(std::size_t n) { return std::vector<std::uint64_t>(n, 1); }

/// The inputs that a list is made of, in order.
std::vector<std::size_t> inputsOf(const MergePlan& plan, std::size_t list, std::size_t inputs) {
  if (list < inputs) return {list};
  std::vector<std::size_t> all;
  for (const std::size_t part : plan.steps[list - inputs]) {
    const std::vector<std::size_t> some = inputsOf(plan, part, inputs);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(MergePlan, KeepsTheOrderOfAllInputs) {
  for (const Strategy strategy : {Strategy::Pairwise, Strategy::KWay})
    for (const bool toOne : {true, false})
      for (std::size_t n = 1; n <= 300; n = n < 40 ? n + 1 : n + 61) {
        std::vector<std::uint64_t> counts(n);
        for (std::size_t i = 0; i < n; ++i) counts[i] = i * 2654435761u % 101;
        const MergePlan plan = planMerge(counts, strategy, toOne);
        std::vector<std::size_t> order, expected(n);
        for (const std::size_t list : plan.left)
          for (const std::size_t input : inputsOf(plan, list, n)) order.push_back(input);
        std::iota(expected.begin(), expected.end(), std::size_t(0));
        EXPECT_EQ(order, expected) << n;
        EXPECT_EQ(plan.left.size() == 1, toOne || n == 1) << n;
        const std::size_t most = strategy == Strategy::Pairwise ? 2 : DEEP_MAX_WAYS;
        EXPECT_LE(plan.left.size(), most);
        for (const Step& step : plan.steps) EXPECT_TRUE(step.size() >= 2 && step.size() <= most);
      }
}

TEST(MergePlan, PairwiseGoesByLevels) {
  const MergePlan plan = planMerge(ones(5), Strategy::Pairwise, true);
  EXPECT_EQ(plan.steps, (std::vector<Step>{{0, 1}, {2, 3}, {5, 6}, {7, 4}}));
  EXPECT_EQ(plan.left, Step{8});
}

TEST(MergePlan, UpTo16AreOnePass) {
  EXPECT_EQ(planMerge(ones(16), Strategy::KWay, true).steps.size(), 1U);
  EXPECT_EQ(planMerge(ones(16), Strategy::KWay, false).steps.size(), 0U);
  EXPECT_EQ(planMerge(ones(1), Strategy::KWay, true).steps.size(), 0U);
}

/// Fragments that all steps read, and write again.
std::uint64_t fragmentsMoved(const MergePlan& plan, std::vector<std::uint64_t> counts) {
  std::uint64_t moved = 0;
  for (const Step& step : plan.steps) {
    std::uint64_t sum = 0;
    for (const std::size_t list : step) sum += counts[list];
    counts.push_back(sum);
    moved += sum;
  }
  return moved;
}

TEST(MergePlan, The17thInputCostsTheTwoSmallestNeighbors) {
  std::vector<std::uint64_t> counts(17, 100);
  counts[9] = 3;
  const MergePlan plan = planMerge(counts, Strategy::KWay, true);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.steps[0], (Step{8, 9}));
  EXPECT_EQ(plan.steps[1].size(), 16U);
  EXPECT_EQ(fragmentsMoved(plan, counts), 103U + 1603U);
}

TEST(MergePlan, PairwiseMovesEverythingOncePerLevel) {
  EXPECT_EQ(fragmentsMoved(planMerge(ones(16), Strategy::Pairwise, true), ones(16)), 64U);
  EXPECT_EQ(fragmentsMoved(planMerge(ones(16), Strategy::KWay, true), ones(16)), 16U);
}

}  // namespace
}  // namespace fathom::deep
