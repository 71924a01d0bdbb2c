// SPDX-License-Identifier: BSD-3-Clause
// Strict headers: what is written comes back, and what is not as expected is named. The many ways
// to damage one are tested with the files that have one (tests/smoe/file_test.cpp).
#include "app/engine/io/json_object.h"

namespace fathom {
namespace {

TEST(JsonObject, ReadsBackWhatWasWritten) {
  JsonText inner;
  inner.add("name", std::string("a \"b\" \n"));
  JsonText text;
  text.add("count", std::int64_t(-3));
  text.add("tiny", std::numeric_limits<double>::denorm_min());
  text.add("sides", std::vector<std::int64_t>{4, 5});
  text.add("places", std::vector<double>{0.1, 2});
  text.add("inner", std::vector<JsonText>{inner});
  const JsonObject json = JsonObject::parse(text.text(), "test");
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
