// SPDX-License-Identifier: BSD-3-Clause
// A sweep checks before it times, keeps the fastest, drops what fails, and can be stopped.
#include "app/engine/core/variants.h"

namespace fathom {
namespace {

std::vector<int> numbers(int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// Variant v takes v + 1 ms; those that `fails` names fail their check.
template <class Fails>
void runAll(VariantSweep& sweep, const Fails& fails) {
  while (!sweep.finished()) {
    const int variant = sweep.rows()[sweep.next().row].variant;
    if (sweep.next().check)
      sweep.checked(!fails(variant), "wrong");
    else
      sweep.timed(variant + 1);
  }
}
void runAll(VariantSweep& sweep) {
  runAll(sweep, [](int) { return false; });
}

TEST(VariantSweep, TriesEachInShuffledRounds) {
  VariantSweep sweep(numbers(20), VariantSweep::rounds(4), 1);
  const std::size_t total = sweep.total();
  runAll(sweep);
  for (const VariantSweep::Row& row : sweep.rows()) EXPECT_EQ(row.ms.size(), 4u);
  EXPECT_EQ(total, 20u * 5);
  EXPECT_EQ(sweep.done(), total);
  EXPECT_EQ(sweep.rows()[std::size_t(sweep.best())].variant, 0);
}

TEST(VariantSweep, ChecksBeforeTheFirstTrial) {
  VariantSweep sweep(numbers(8), VariantSweep::rounds(2), 3);
  std::map<std::size_t, int> checks;
  while (!sweep.finished()) {
    const VariantSweep::Step step = sweep.next();
    if (step.check) {
      EXPECT_EQ(checks[step.row]++, 0);
      sweep.checked(true, "");
    } else {
      EXPECT_EQ(checks[step.row], 1);
      sweep.timed(1);
    }
  }
}

TEST(VariantSweep, HalvingSpendsMostOnTheFastest) {
  VariantSweep sweep(numbers(320), VariantSweep::halving(320), 1);
  runAll(sweep);
  EXPECT_EQ(sweep.rows()[0].ms.size(), 14u);   // 1 + 3 + 10
  EXPECT_EQ(sweep.rows()[15].ms.size(), 14u);  // the best 16
  EXPECT_EQ(sweep.rows()[16].ms.size(), 4u);   // the best 80
  EXPECT_EQ(sweep.rows()[80].ms.size(), 1u);
  EXPECT_EQ(sweep.done(), 320u + 320 + 240 + 160);
  EXPECT_EQ(sweep.total(), sweep.done());
}

TEST(VariantSweep, WhatFailsIsNotTimed) {
  VariantSweep sweep(numbers(10), VariantSweep::halving(10), 1);
  runAll(sweep, [](int variant) { return variant < 3; });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sweep.rows()[std::size_t(i)].state, VariantSweep::State::Failed);
    EXPECT_EQ(sweep.rows()[std::size_t(i)].detail, "wrong");
    EXPECT_TRUE(sweep.rows()[std::size_t(i)].ms.empty());
  }
  EXPECT_EQ(sweep.rows()[std::size_t(sweep.best())].variant, 3);
}

TEST(VariantSweep, NothingIsBestWhenAllFail) {
  VariantSweep sweep(numbers(5), VariantSweep::halving(5), 1);
  runAll(sweep, [](int) { return true; });
  EXPECT_EQ(sweep.best(), -1);
}

TEST(VariantSweep, StoppedItKeepsTheBestSoFar) {
  VariantSweep sweep(numbers(50), VariantSweep::rounds(5), 2);
  for (int i = 0; i < 30; ++i) {
    if (sweep.next().check)
      sweep.checked(true, "");
    else
      sweep.timed(sweep.rows()[sweep.next().row].variant);
  }
  sweep.cancel();
  EXPECT_TRUE(sweep.finished());
  const int best = sweep.best();
  ASSERT_GE(best, 0);
  for (const VariantSweep::Row& row : sweep.rows()) {
    if (row.ms.empty()) continue;
    EXPECT_LE(sweep.rows()[std::size_t(best)].variant, row.variant);
  }
}

TEST(VariantSweep, TheMedianIgnoresOneSlowTrial) {
  VariantSweep::Row row{0, VariantSweep::State::Passed, {}, {3, 100, 1, 2}};
  EXPECT_EQ(row.medianMs(), 2.5);
}

}  // namespace
}  // namespace fathom
