// SPDX-License-Identifier: BSD-3-Clause
// JSON whose fields are not known beforehand: every kind of value, keys, and what is refused.
#include "app/engine/io/json.h"

#include "app/engine/core/error.h"

namespace fathom {
namespace {

using Kind = JsonTree::Kind;

TEST(JsonTree, HoldsEveryKindOfValue) {
  const JsonTree tree =
      JsonTree::parse(R"({"b": [1.5, -2, "x"], "a": null, "c": true, "d": {"e": {}}})", "test", 8);
  ASSERT_TRUE(tree.is(Kind::Object));
  EXPECT_EQ(tree.keys, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(tree.find("a")->is(Kind::Null));
  const JsonTree& list = *tree.find("b");
  ASSERT_TRUE(list.is(Kind::List));
  EXPECT_EQ(list.items[0].number, 1.5);
  EXPECT_EQ(list.items[1].number, -2);
  EXPECT_EQ(list.items[2].text, "x");
  EXPECT_TRUE(tree.find("c")->is(Kind::Bool));
  EXPECT_EQ(tree.find("c")->number, 1);
  EXPECT_TRUE(tree.find("d")->find("e")->is(Kind::Object));
  EXPECT_EQ(tree.find("f"), nullptr);
  EXPECT_EQ(list.find("a"), nullptr);
}

TEST(JsonTree, ShowsValuesAsTheyWereWritten) {
  const JsonTree tree = JsonTree::parse(R"([5, 0.25, "a\nb", [null, false], {"k": 1}])", "test", 8);
  EXPECT_EQ(tree.items[0].shown(), "5");
  EXPECT_EQ(tree.items[1].shown(), "0.25");
  EXPECT_EQ(tree.items[2].shown(), R"("a\nb")");
  EXPECT_EQ(tree.items[3].shown(), "[null,false]");
  EXPECT_EQ(tree.items[4].shown(), R"({"k":1})");
}

TEST(JsonTree, RefusesDepthsAndKeysTwice) {
  const auto parse = [](const std::string& text) { return JsonTree::parse(text, "test", 3); };
  EXPECT_NO_THROW(parse("[[[1]]]"));
  EXPECT_THROW(parse("[[[[1]]]]"), Error);
  EXPECT_THROW(parse(R"({"a": 1, "a": 2})"), Error);
  EXPECT_THROW(parse(""), Error);
  EXPECT_THROW(parse("[1e999]"), Error);
  EXPECT_THROW(parse(std::string(1000000, '[')), Error);
}

}  // namespace
}  // namespace fathom
