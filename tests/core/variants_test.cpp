// SPDX-License-Identifier: BSD-3-Clause
// Spaces of variants as text and back, and sweeps over them: which variant is measured next.
#include "app/engine/core/variants.h"

namespace fathom {
namespace {

// 2 x 3 x 2 with one forbidden pair and one extension: 12 - 2 without extras, 2 more.
constexpr VariantSpace kSpace{
    {{"size", "How large.", {{"small", "", "little"}, {"large", "", "much"}}},
     {"stop",
      "When to stop.",
      {{"none", "", "never"}, {"block", "none", "per block"}, {"each", "block", "always"}}},
     {"way",
      "Which way.",
      {{"up", "", "to the top"}, {"down", "", "back"}, {"side", "up", "", true}}}},
    {{"S1", "downwards, nothing stops", [](const Variant& v) { return v[2] != 1 || v[1] == 0; }}}};
static_assert(kSpace.dimensionCount() == 3);
static_assert(kSpace.count() == 8);
static_assert(kSpace.countAll() == 14);

TEST(VariantSpace, EnumeratesEveryValidVariantOnce) {
  std::set<std::string> ids;
  for (int i = 0; i < kSpace.countAll(); ++i) {
    const Variant variant = kSpace.at(i);
    EXPECT_TRUE(kSpace.valid(variant));
    EXPECT_EQ(kSpace.extension(variant), i >= kSpace.count());
    EXPECT_EQ(kSpace.index(variant), i);
    ids.insert(kSpace.id(variant));
  }
  EXPECT_EQ(ids.size(), std::size_t(kSpace.countAll()));
}

TEST(VariantSpace, CountedVariantsComeFirstWithTheLastDimensionFastest) {
  EXPECT_EQ(kSpace.id(kSpace.at(0)), "small.none.up");
  EXPECT_EQ(kSpace.id(kSpace.at(1)), "small.none.down");
  EXPECT_EQ(kSpace.id(kSpace.at(2)), "small.block.up");
  EXPECT_EQ(kSpace.id(kSpace.at(8)), "small.none.side");
  const std::vector<Variant> all = allVariants(kSpace);
  ASSERT_EQ(int(all.size()), kSpace.countAll());
  for (int i = 0; i < kSpace.countAll(); ++i) EXPECT_EQ(all[std::size_t(i)], kSpace.at(i));
}

TEST(VariantSpace, IdsParseBack) {
  for (int i = 0; i < kSpace.countAll(); ++i)
    EXPECT_EQ(kSpace.parse(kSpace.id(kSpace.at(i))), kSpace.at(i));
}

TEST(VariantSpace, WrongIdsNameWhatIsWrong) {
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.none"); }),
            "variant small.none: expected 3 names like small.none.up, found 2");
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.blok.up"); }),
            "variant small.blok.up: expected stop to be none or block or each, found \"blok\", did "
            "you mean \"block\"?");
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.each.down"); }),
            "variant small.each.down: S1 forbids it: downwards, nothing stops");
}

TEST(VariantSpace, NamesTheConstraintOfAnImpossibleChoice) {
  const Variant each = kSpace.parse("large.each.up");
  EXPECT_EQ(kSpace.whyNot(each, 2, 1), "S1: downwards, nothing stops");
  EXPECT_EQ(kSpace.whyNot(each, 0, 0), "");
  EXPECT_EQ(kSpace.index({0, 1, 1}), -1);
}

TEST(VariantSpace, AChoiceBringsTheNearestValidVariant) {
  const Variant each = kSpace.parse("large.each.up");
  EXPECT_EQ(kSpace.id(kSpace.with(each, 0, 0)), "small.each.up");
  EXPECT_EQ(kSpace.id(kSpace.with(each, 2, 1)), "large.none.down");
}

TEST(VariantSpace, TargetsComeWithWhatTheyRefine) {
  const std::vector<TargetChain> chains = targetsOf(kSpace, kSpace.parse("small.each.up"));
  const std::vector<TargetChain> expected = {
      {"size-small"}, {"stop-each", "stop-block", "stop-none"}, {"way-up"}};
  EXPECT_EQ(chains, expected);
}

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
