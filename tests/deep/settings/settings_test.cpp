// SPDX-License-Identifier: BSD-3-Clause
// The knobs of deep images: their words, what a change costs, and their agreement with the shaders.
#include "app/engine/deep/settings/settings.h"

#include "app/engine/deep/settings/variant_space.h"
#include "shaders/deep/shared.h"

#include <gtest/gtest.h>

namespace fathom::deep {
namespace {

/// What changing one setting costs, from the defaults.
Effect costOf(const std::string& name, const std::string& text) {
  Settings settings;
  const Describe described = [&](FieldVisitor& field) { describe(settings, field); };
  const std::vector<FieldValue> before = valuesOf(described);
  assign(described, name, text);
  return effectOf(before, valuesOf(described));
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

TEST(DeepSpace, HoldsThePapersEightTechniques) {
  for (const char* layout : {"ll", "la", "ia", "bia"})
    for (const char* method : {"stepwise", "rbm"})
      EXPECT_NO_THROW(kVariants.parse(fmt::format("{}.{}.4.tile2x8", layout, method)));
  EXPECT_THROW(kVariants.parse("ia.stepwise.8.raster"), UsageError);
}

TEST(DeepSpace, GoesBeyondThePaperInLayouts) {
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
  Settings settings;
  settings.layout = Layout::Interleaved;
  settings.blockSize = BlockSize::Sixteen;
  settings.slots = Slots::Raster;
  EXPECT_EQ(kVariants.id(variantOf(settings, Method::RegisterBlock)), "ia.rbm.16.raster");
}

TEST(DeepSettings, WhatChangesTheBuffersRebuilds) {
  EXPECT_EQ(costOf("layout", "ll"), Effect::Rebuild);
  EXPECT_EQ(costOf("block-size", "8"), Effect::Rebuild);
  EXPECT_EQ(costOf("slots", "raster"), Effect::Rebuild);
  EXPECT_EQ(costOf("capture-format", "rgba8"), Effect::Rebuild);
}

TEST(DeepSettings, WhatReadsTheBuffersRedraws) {
  EXPECT_EQ(costOf("method", "stepwise"), Effect::Redraw);
  EXPECT_EQ(costOf("strategy", "pairwise"), Effect::Redraw);
  EXPECT_EQ(costOf("save-merged", "on"), Effect::Redraw);
  EXPECT_EQ(costOf("links", "push"), Effect::Redraw);
  EXPECT_EQ(costOf("early-out", "off"), Effect::Redraw);
  EXPECT_EQ(costOf("show", "heat-map"), Effect::Redraw);
}

TEST(DeepSettings, TheSameValueCostsNothing) { EXPECT_EQ(costOf("layout", "bia"), Effect::None); }

TEST(DeepSettings, BlockSizeNeedsBlocks) {
  Settings settings;
  settings.layout = Layout::LinkedList;
  settings.method = Method::Stepwise;
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

}  // namespace
}  // namespace fathom::deep
