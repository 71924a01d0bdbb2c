// SPDX-License-Identifier: BSD-3-Clause
// Strict headers: what is written comes back, and what is not as expected is named. The many ways
// to damage one are tested with the files that have one (tests/smoe/file_test.cpp).
#include "app/engine/io/json.h"

namespace fathom {
namespace {

TEST(JsonObject, ReadsBackWhatWasWritten) {
  OrderedJson written{{"count", -3},
                      {"tiny", std::numeric_limits<double>::denorm_min()},
                      {"sides", {4, 5}},
                      {"places", {0.1, 2}}};
  written["inner"].push_back({{"name", "a \"b\" \n"}});
  EXPECT_TRUE(headerText(written).ends_with(
      R"("sides": [4,5], "places": [0.1,2], "inner": [{"name": "a \"b\" \n"}]})"));
  const JsonObject json = JsonObject::parse(headerText(written), "test");
  EXPECT_EQ(-3, json.integer("count", -5, 5));
  EXPECT_EQ(std::numeric_limits<double>::denorm_min(), json.number("tiny"));
  EXPECT_EQ((std::vector<std::int64_t>{4, 5}), json.integers("sides", 2, 0, 9));
  EXPECT_EQ((std::vector<double>{0.1, 2}), json.numbers("places", 2));
  EXPECT_EQ("a \"b\" \n", json.objects("inner", 1)[0].text("name"));
  EXPECT_FALSE(json.has("name"));
}

TEST(JsonObject, KeysOfDifferentObjectsMayBeEqual) {
  EXPECT_NO_THROW(
      JsonObject::parse(R"({"a": [{"b": 1}, {"b": 2}], "b": {"a": {"b": 3}}})", "test"));
  EXPECT_THROW(JsonObject::parse(R"({"a": [{"b": 1}, {"c": 2, "c": 3}]})", "test"), Error);
}

TEST(JsonObject, ShowsLongValuesShortened) {
  const std::string text = R"({"a": ")" + std::string(100, 'x') + R"("})";
  EXPECT_EQ("test: \"a\": expected a number, found \"" + std::string(36, 'x') + "...",
            messageOf([&] { JsonObject::parse(text, "test").number("a"); }));
}

}  // namespace
}  // namespace fathom
