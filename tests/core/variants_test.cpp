// SPDX-License-Identifier: BSD-3-Clause
// Spaces count, enumerate and spell their variants.
#include "app/engine/core/variants.h"

#include "tests/support/message.h"

namespace fathom {
namespace {

using test::messageOf;

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
static_assert(kSpace.index(kSpace.at(7)) == 7);

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

}  // namespace
}  // namespace fathom
