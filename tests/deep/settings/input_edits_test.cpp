// SPDX-License-Identifier: BSD-3-Clause
// Edits of inputs as texts of the settings: read, written, and turned away.
#include "app/engine/deep/settings/input_edits.h"

#include <gtest/gtest.h>

namespace fathom::deep {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(InputEdits, MissingAndEmptyValuesAreDefaults) {
  Settings s;
  s.zOffsets = ",2.5";
  s.roles = "hold-out";
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
  Settings s;
  s.zRanges = ":,5:";
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
  Settings s;
  s.thin = 4;
  const Edits picture = editsOf(s, 2, true, Purpose::Picture);
  EXPECT_TRUE(picture.merged.tidy);
  EXPECT_EQ(picture.merged.maxCount, 0);
  const Edits file = editsOf(s, 2, true, Purpose::File);
  EXPECT_FALSE(file.merged.tidy);
  EXPECT_EQ(file.merged.maxCount, 4);
}

TEST(Edits, AHiddenMatteHoldsNothing) {
  Settings s;
  s.roles = "add,hold-out";
  EXPECT_TRUE(editsOf(s, 2, false, Purpose::File).holds());
  s.visible = "on,off";
  EXPECT_FALSE(editsOf(s, 2, false, Purpose::File).holds());
}

TEST(InputEdits, ThoseThatStayKeepTheirs) {
  Settings s;
  s.roles = "add,hold-out,add", s.zOffsets = ",2.5,-1", s.order = "3,1,2";
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

}  // namespace
}  // namespace fathom::deep
