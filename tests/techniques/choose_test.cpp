// SPDX-License-Identifier: BSD-3-Clause
// One chooser for window, commands and sessions: preference, order, and what is said when nothing
// fits.

#include "app/engine/engine.h"

namespace fathom {
namespace {

TechniqueEntry entryOf(const std::string& name, bool (*accepts)(const std::vector<std::string>&)) {
  return {.info = {name, "", "", "", {}},
          .accepts = accepts,
          .read = nullptr,
          .settings = nullptr,
          .make = nullptr};
}

// "pair" takes two files ending in .x, "single" takes one file ending in .x or .y.
const std::vector<TechniqueEntry>& list() {
  using Inputs = std::vector<std::string>;
  static const std::vector<TechniqueEntry> entries = {
      entryOf("pair",
              [](const Inputs& in) {
                return in.size() == 2 && in[0].ends_with(".x") && in[1].ends_with(".x");
              }),
      entryOf("single",
              [](const Inputs& in) {
                return in.size() == 1 && (in[0].ends_with(".x") || in[0].ends_with(".y"));
              }),
      entryOf("any", [](const Inputs& in) {
        for (const std::string& name : in)
          if (!name.ends_with(".x")) return false;
        return true;
      })};
  return entries;
}

std::string chosen(const std::vector<std::string>& inputs,
                   const std::vector<std::string>& preferred = {}) {
  return chooseTechnique(list(), inputs, preferred).info.name;
}

std::string refusalOf(const std::vector<std::string>& inputs) {
  try {
    return chosen(inputs);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Choose, TheFirstThatAcceptsAllInputsTogether) {
  EXPECT_EQ(chosen({"a.x"}), "single");
  EXPECT_EQ(chosen({"a.x", "b.x"}), "pair");
  EXPECT_EQ(chosen({"a.x", "b.x", "c.x"}), "any");
}

TEST(Choose, APreferredOneGoesFirstIfItAccepts) {
  EXPECT_EQ(chosen({"a.x"}, {"any"}), "any");
  EXPECT_EQ(chosen({"a.y"}, {"any"}), "single");
  EXPECT_EQ(chosen({"a.x"}, {"unknown", "any", "single"}), "any");
}

TEST(Choose, ListsAllThatAccept) {
  const auto found = techniquesFor(list(), {"a.x"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->info.name, "single");
  EXPECT_EQ(found[1]->info.name, "any");
}

TEST(Choose, SaysWhyNothingFits) {
  const TempFolder folder;
  const std::string text = folder.write("note.txt", "no picture").string();
  EXPECT_THAT(refusalOf({folder.file("lost.z")}), HasSubstr("expected a file, found nothing"));
  EXPECT_THAT(refusalOf({folder.path().string()}), HasSubstr("found a folder"));
  EXPECT_THAT(refusalOf({text}), HasSubstr("note.txt: expected a file or scene"));
  EXPECT_THAT(refusalOf({"a.x", "b.y"}), HasSubstr("b.y: expected an input of the same kind"));
}

}  // namespace
}  // namespace fathom
