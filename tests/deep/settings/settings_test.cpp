// SPDX-License-Identifier: BSD-3-Clause
// What is decided without a device: the words of settings, what a change costs and their agreement
// with the shaders; edits of inputs as texts; and which inputs are merged with which (the order is
// kept, passes are full, little is moved twice).
#include "app/engine/deep/settings/settings.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/deep/settings/variant_space.h"
#include "shaders/deep/shared.h"

namespace fathom::deep {
namespace {

/// Whether other lists are made when one setting differs from its default.
bool makesOtherLists(const std::string& name, const std::string& text) {
  Settings settings;
  assign([&](FieldVisitor& field) { describe(settings, field); }, name, text);
  const auto keyOf = [](const Settings& s) {
    return std::pair(shapeOf(s, FragmentFormat::Half), s.sort);
  };
  return keyOf(settings) != keyOf(Settings());
}

std::string disabledReasonOf(Settings settings, const std::string& name) {
  for (const FieldRow& row : rowsOf([&](FieldVisitor& field) { describe(settings, field); }))
    if (row.info.name == name) return row.info.disabledReason;
  ADD_FAILURE() << "no setting " << name;
  return "";
}

TEST(DeepSettings, WordsOfTheContractAreUnderstood) {
  Settings settings;
  const Describe described = [&](FieldVisitor& field) { describe(settings, field); };
  assign(described, "layout", "ia");
  assign(described, "method", "stepwise");
  assign(described, "block-size", "16");
  assign(described, "slots", "raster");
  assign(described, "strategy", "kway");
  EXPECT_EQ(settings.strategy, Strategy::KWay);
  EXPECT_EQ(settings.layout, Layout::Interleaved);
  EXPECT_EQ(settings.method, Method::Stepwise);
  EXPECT_EQ(settings.block(), 16);
  EXPECT_EQ(settings.slots, Slots::Raster);
}

TEST(DeepSettings, EveryValueIsExplained) {
  Settings settings;
  for (const FieldRow& row : rowsOf([&](FieldVisitor& field) { describe(settings, field); })) {
    EXPECT_FALSE(row.info.help.empty()) << row.info.name;
    EXPECT_TRUE(row.about.empty() || row.about.size() == row.values.size()) << row.info.name;
  }
}

TEST(DeepSpace, HoldsThePapersTechniquesAndMoreLayouts) {
  // The eight techniques of the paper.
  for (const char* layout : {"ll", "la", "ia", "bia"})
    for (const char* method : {"stepwise", "rbm"})
      EXPECT_NO_THROW(kVariants.parse(fmt::format("{}.{}.4.tile2x8", layout, method)));
  EXPECT_THROW(kVariants.parse("ia.stepwise.8.raster"), UsageError);
  // Goes beyond the paper in layouts.
  EXPECT_EQ(kVariants.count(), 36);
  for (const char* id :
       {"ria.stepwise.1.raster", "ria.rbm.16.tile2x8", "abia.stepwise.8.tile2x8"}) {
    EXPECT_GE(kVariants.index(kVariants.parse(id)), 36) << id;
  }
  EXPECT_THROW(kVariants.parse("bia.stepwise.1.raster"), UsageError);
}

TEST(DeepSettings, TheStrategyMattersBeyondTwoInputs) {
  EXPECT_EQ(resolve(Strategy::Auto, 2), Strategy::Pairwise);
  EXPECT_EQ(resolve(Strategy::KWay, 2), Strategy::Pairwise);
  EXPECT_EQ(resolve(Strategy::KWay, 3), Strategy::KWay);
  EXPECT_EQ(resolve(Strategy::Pairwise, 3), Strategy::Pairwise);
  EXPECT_NE(resolve(Strategy::Auto, 3), Strategy::Auto);
}

TEST(DeepSpace, CountsAsTheSettings) {
  const Settings settings{
      .layout = Layout::Interleaved, .blockSize = BlockSize::Sixteen, .slots = Slots::Raster};
  EXPECT_EQ(kVariants.id(variantOf(settings, Method::RegisterBlock)), "ia.rbm.16.raster");
}

TEST(DeepSettings, ListsAreMadeAgainForAnotherShapeOrSort) {
  EXPECT_TRUE(makesOtherLists("layout", "ll"));
  EXPECT_TRUE(makesOtherLists("block-size", "8"));
  EXPECT_TRUE(makesOtherLists("slots", "raster"));
  EXPECT_FALSE(makesOtherLists("layout", "bia"));  // the default
  // Lists stay for what reads them.
  for (const auto& [name, text] :
       {std::pair("method", "stepwise"), std::pair("strategy", "pairwise"),
        std::pair("save-merged", "on"), std::pair("links", "push"), std::pair("early-out", "off"),
        std::pair("show", "heat-map")})
    EXPECT_FALSE(makesOtherLists(name, text)) << name;
}

TEST(DeepSettings, BlockSizeNeedsBlocks) {
  Settings settings{.layout = Layout::LinkedList, .method = Method::Stepwise};
  EXPECT_NE(disabledReasonOf(settings, "block-size"), "");
  settings.method = Method::RegisterBlock;
  EXPECT_EQ(disabledReasonOf(settings, "block-size"), "");
}

TEST(DeepSettings, LinksNeedLinkedLists) {
  Settings settings;
  EXPECT_NE(disabledReasonOf(settings, "links"), "");
  settings.layout = Layout::LinkedList;
  EXPECT_EQ(disabledReasonOf(settings, "links"), "");
}

TEST(DeepSettings, ValuesCountAsInTheShaders) {
  EXPECT_EQ(int(Layout::LinkedList), DEEP_LAYOUT_LL);
  EXPECT_EQ(int(Layout::Linearized), DEEP_LAYOUT_LA);
  EXPECT_EQ(int(Layout::Interleaved), DEEP_LAYOUT_IA);
  EXPECT_EQ(int(Layout::BlockInterleaved), DEEP_LAYOUT_BIA);
  EXPECT_EQ(int(Layout::RankInterleaved), DEEP_LAYOUT_RIA);
  EXPECT_EQ(int(Layout::AlignedBlocks), DEEP_LAYOUT_ABIA);
  EXPECT_EQ(int(Slots::Raster), DEEP_SLOTS_RASTER);
  EXPECT_EQ(int(Slots::Tile2x8), DEEP_SLOTS_TILE2X8);
}

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(InputEdits, MissingAndEmptyValuesAreDefaults) {
  const Settings s{.roles = "hold-out", .zOffsets = ",2.5"};
  const std::vector<InputEdit> edits = editsOf(s, 3);
  EXPECT_EQ(edits[0], InputEdit{.role = Role::HoldOut});
  EXPECT_EQ(edits[1], InputEdit{.zOffset = 2.5f});
  EXPECT_TRUE(edits[2].isNothing());
}

TEST(InputEdits, ComeBackFromTheirTexts) {
  const std::vector<InputEdit> edits{
      {.role = Role::HoldIn, .zScale = 0.1f, .nearest = 1},
      {},
      {.visible = false, .zOffset = -3.25f, .nearest = -2, .farthest = 7},
      {.farthest = 1e-3f},
      {}};
  Settings s;
  setEdits(s, edits);
  EXPECT_EQ(editsOf(s, 5), edits);
  EXPECT_EQ(s.visible, ",,off");
  EXPECT_EQ(s.roles, "hold-in");
  EXPECT_EQ(s.zRanges, "1:,,-2:7,:0.001");
}

TEST(InputEdits, NothingIsEmptyText) {
  Settings s;
  setEdits(s, std::vector<InputEdit>(4));
  EXPECT_EQ(s.visible + s.roles + s.zScales + s.zOffsets + s.zRanges, "");
}

TEST(InputEdits, ARangeMayBeOpen) {
  const Settings s{.zRanges = ":,5:"};
  EXPECT_TRUE(editsOf(s, 2)[0].isNothing());
  EXPECT_EQ(editsOf(s, 2)[1].nearest, 5);
  EXPECT_EQ(editsOf(s, 2)[1].farthest, kInf);
}

TEST(InputEdits, TheOrderNamesWhatDoesNotFollowByItself) {
  using Order = std::vector<std::size_t>;
  Settings s;
  for (const auto& [order, text] :
       {std::pair(Order{0, 1, 2, 3}, ""), std::pair(Order{2, 0, 1, 3}, "3"),
        std::pair(Order{1, 3, 0, 2}, "2,4"), std::pair(Order{3, 2, 1, 0}, "4,3,2")}) {
    setOrder(s, order);
    EXPECT_EQ(s.order, text);
    EXPECT_EQ(orderOf(s, 4), order);
  }
  s.order = "5,2";
  EXPECT_EQ(orderOf(s, 3), (Order{1, 0, 2}));  // inputs that are not there are passed over
  EXPECT_THROW(checkInputCount(s, 4), UsageError);
  EXPECT_NO_THROW(checkInputCount(s, 5));
  EXPECT_EQ(orderOf(s, 0), Order{});
  for (const char* wrong : {"0", "1,1", "-1", "2,,1", "a"}) EXPECT_NE(complaintOfOrder(wrong), "");
  for (const char* right : {"", "1", "2,1"}) EXPECT_EQ(complaintOfOrder(right), "");
}

TEST(InputEdits, SettingsTurnAwayWhatTheyCannotRead) {
  Settings s;
  const Describe described = [&](FieldVisitor& field) { describe(s, field); };
  EXPECT_THROW(assign(described, "roles", "matte"), UsageError);
  EXPECT_EQ(s.roles, "");
  assign(described, "roles", "add,hold-in");
  EXPECT_EQ(s.roles, "add,hold-in");
  EXPECT_NO_THROW(checkInputCount(s, 2));
  EXPECT_THROW(checkInputCount(s, 1), UsageError);
}

TEST(Edits, OfDefaultsAreNothing) {
  Settings s;
  EXPECT_TRUE(editsOf(s, 3, false, Purpose::File).isNothing());
  s.order = "1,2,3";
  EXPECT_TRUE(editsOf(s, 3, false, Purpose::File).isNothing());
  s.order = "2,1";
  EXPECT_FALSE(editsOf(s, 3, false, Purpose::File).isNothing());
}

TEST(Edits, PicturesOfVolumesAreTidyAndNotThinned) {
  Settings s{.thin = 4};
  const Edits picture = editsOf(s, 2, true, Purpose::Picture);
  EXPECT_TRUE(picture.merged.tidy);
  EXPECT_EQ(picture.merged.maxCount, 0);
  const Edits file = editsOf(s, 2, true, Purpose::File);
  EXPECT_TRUE(file.merged.tidy) << "thinned lists are the same picture";
  EXPECT_EQ(file.merged.maxCount, 4);
  s.thin = 0;
  EXPECT_FALSE(editsOf(s, 2, true, Purpose::File).merged.tidy);
}

TEST(Edits, AHiddenMatteHoldsNothing) {
  Settings s{.roles = "add,hold-out"};
  EXPECT_TRUE(editsOf(s, 2, false, Purpose::File).holds());
  s.visible = "on,off";
  EXPECT_FALSE(editsOf(s, 2, false, Purpose::File).holds());
}

TEST(InputEdits, ThoseThatStayKeepTheirs) {
  Settings s{.roles = "add,hold-out,add", .zOffsets = ",2.5,-1", .order = "3,1,2"};
  const std::vector<std::string> before{"a", "b", "c"}, more{"a", "b", "c", "d"}, fewer{"b", "c"};
  carryEdits(s, before, more);
  EXPECT_EQ(s.roles, ",hold-out");
  EXPECT_EQ(s.zOffsets, ",2.5,-1");
  EXPECT_EQ(orderOf(s, 4), (std::vector<std::size_t>{2, 0, 1, 3}));
  carryEdits(s, more, fewer);
  EXPECT_EQ(s.roles, "hold-out");
  EXPECT_EQ(s.zOffsets, "2.5,-1");
  EXPECT_EQ(orderOf(s, 2), (std::vector<std::size_t>{1, 0}));
}

TEST(InputEdits, ThinErrorsAreNumbersOrFractions) {
  EXPECT_EQ(complaintOfThinError("1/512"), "");
  EXPECT_EQ(thinErrorOf("1/512"), 1.0 / 512);
  EXPECT_EQ(complaintOfThinError("0.25"), "");
  for (const char* text : {"2", "0", "-1", "1/0", "x", "1/", "nan"})
    EXPECT_NE(complaintOfThinError(text), "") << text;
}

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

TEST(MergePlan, PairwiseGoesByLevelsAnd16AreOnePass) {
  // Pairwise goes by levels.
  const MergePlan plan = planMerge(ones(5), Strategy::Pairwise, true);
  EXPECT_EQ(plan.steps, (std::vector<Step>{{0, 1}, {2, 3}, {5, 6}, {7, 4}}));
  EXPECT_EQ(plan.left, Step{8});
  // Up to 16 are one pass.
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
