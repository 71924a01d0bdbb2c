// SPDX-License-Identifier: BSD-3-Clause
// Settings declared once: read out, assigned, compared.
#include "app/engine/core/fields.h"

namespace fathom {
namespace {

enum class Method { Stepwise, Rbm };
struct Settings {
  Method method = Method::Stepwise;
  float radius = 2.8f;
  int count = 4;
  bool early = false;
  std::string title = "none";
};

class Fields : public testing::Test {
 protected:
  Settings s_;
  Describe describe_ = [this](FieldVisitor& field) {
    field(s_.method, choice("method", {"stepwise", "rbm"}, "How lists merge.")
                         .explain({"one by one", "by blocks"}));
    field(s_.radius, range("blur-radius", 0.5f, 10.0f, "How far.").in("px").log());
    field(s_.count, range("count", 1, 16, "How many.").onlyIf(s_.early, "without early-out"));
    field(s_.early, toggle("early-out", "Stop early."));
    field(s_.title, text("title", "What it is called."));
  };
  std::string messageOf(const char* name, const char* value) {
    try {
      assign(describe_, name, value);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Fields, ValuesComeAsShortText) {
  const std::vector<FieldValue> values = valuesOf(describe_);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[0].text, "stepwise");
  EXPECT_EQ(values[1].text, "2.8");
  EXPECT_EQ(values[3].text, "off");
}

TEST_F(Fields, AssignSetsEachKind) {
  assign(describe_, "method", "rbm");
  assign(describe_, "blur-radius", "1.5");
  assign(describe_, "count", "16");
  assign(describe_, "early-out", "on");
  assign(describe_, "title", "some words");
  EXPECT_EQ(s_.method, Method::Rbm);
  EXPECT_EQ(s_.radius, 1.5f);
  EXPECT_EQ(s_.count, 16);
  EXPECT_TRUE(s_.early);
  EXPECT_EQ(s_.title, "some words");
}

TEST_F(Fields, EveryValueReadsBackEqual) {
  s_ = {Method::Rbm, 0.1f + 0.7f, 7, true, "x"};
  const std::vector<FieldValue> values = valuesOf(describe_);
  s_ = {};
  for (const FieldValue& value : values) assign(describe_, value.name, value.text);
  EXPECT_EQ(valuesOf(describe_), values);
}

TEST_F(Fields, UnknownNameOffersTheNearest) {
  EXPECT_EQ(messageOf("metod", "rbm"), "no setting \"metod\", did you mean \"method\"?");
  EXPECT_EQ(messageOf("zzzzzz", "1"), "no setting \"zzzzzz\"");
}

TEST_F(Fields, OtherValuesNameTheRange) {
  EXPECT_EQ(messageOf("count", "17"),
            "--count: expected a whole number from 1 to 16, found \"17\"");
  EXPECT_EQ(messageOf("blur-radius", "0.1"),
            "--blur-radius: expected a number from 0.5 to 10, found \"0.1\"");
  EXPECT_NE(messageOf("blur-radius", "nan"), "no error");
  EXPECT_NE(messageOf("count", "4x"), "no error");
  EXPECT_EQ(messageOf("method", "fast"), "--method: expected one of stepwise, rbm, found \"fast\"");
}

TEST_F(Fields, RowsKnowWhyAFieldIsDisabled) {
  EXPECT_EQ(rowsOf(describe_)[2].info.disabledReason, "without early-out");
}

TEST(Label, IsMadeFromTheName) {
  EXPECT_EQ(labelOf(range("focus-distance", 0.0f, 1.0f, "").in("m").info), "Focus distance");
}

TEST(Label, MayBeGiven) {
  EXPECT_EQ(labelOf(range("f-number", 0.5f, 64.0f, "").label("f-number").info), "f-number");
}

TEST(Title, NamesAValueInFullWithItsCode) {
  const ChoiceField layout = choice("layout", {"ll", "la", "4"}, "").titled({"", "Linearized", ""});
  EXPECT_EQ(titleOf(layout, 0), "ll");
  EXPECT_EQ(titleOf(layout, 1), "Linearized (la)");
}

TEST(OfInputs, SettingsOfTheFilesAndOfTheUserArePassedOnApart) {
  std::string region;
  float radius = 1;
  const Describe all = [&](FieldVisitor& field) {
    field(region, text("region", "").ofInputs());
    field(radius, range("radius", 0.0f, 2.0f, ""));
  };
  ASSERT_EQ(valuesOf(onlyOfInputs(all, true)).size(), 1u);
  EXPECT_EQ(valuesOf(onlyOfInputs(all, true))[0].name, "region");
  EXPECT_EQ(valuesOf(onlyOfInputs(all, false))[0].name, "radius");
  assign(onlyOfInputs(all, true), "region", "1,2,3,4");
  EXPECT_EQ(region, "1,2,3,4");
  EXPECT_THROW(assign(onlyOfInputs(all, true), "radius", "2"), UsageError);
}

TEST(Shortest, ReadsBackEqual) {
  EXPECT_EQ(shortest(2.8f), "2.8");
  EXPECT_EQ(shortest(0.1f), "0.1");
  EXPECT_EQ(shortest(16777216.0f), "16777216");
}

}  // namespace
}  // namespace fathom
