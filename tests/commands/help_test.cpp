// SPDX-License-Identifier: BSD-3-Clause
// What the program says about itself.
#include "app/commands/words.h"
#include "app/techniques/technique.h"
#include "tests/support/program.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fathom::commands {
namespace {

using test::Outcome;
using test::runFathom;

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> parts;
  for (std::string part; in >> part;) parts.push_back(part);
  return parts;
}

TEST(Help, NamesEveryCommandAndScene) {
  const Outcome outcome = runFathom({"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const Word& word : words())
    EXPECT_NE(outcome.out.find("  " + word.name + " "), std::string::npos) << word.name;
  EXPECT_NE(outcome.out.find("atrium"), std::string::npos);
}

TEST(Help, OfEachCommandHasAnExampleThatIsACommandLine) {
  for (const Word& word : words()) {
    std::vector<std::string> arguments = split(word.name);
    arguments.push_back("--help");
    const Outcome outcome = runFathom(arguments);
    EXPECT_EQ(outcome.code, 0) << word.name;
    EXPECT_NE(outcome.out.find(word.help), std::string::npos) << word.name;
    EXPECT_NE(outcome.out.find(word.example), std::string::npos) << word.name;
    EXPECT_EQ(word.example.rfind("fathom " + word.name, 0), 0u) << word.example;
    EXPECT_NE(outcome.out.find("--json"), std::string::npos) << word.name;
  }
}

TEST(Help, ShowsEverySettingWithItsDefault) {
  for (const TechniqueEntry& entry : techniques()) {
    const std::unique_ptr<Technique> technique = entry.make();
    const Outcome outcome = runFathom({entry.info.name, "flatten", "--help"});
    if (outcome.code == 2) continue;  // this technique has no such word
    for (const FieldRow& row : rowsOf(technique->settings())) {
      EXPECT_NE(outcome.out.find("--" + row.info.name), std::string::npos) << row.info.name;
    }
  }
}

TEST(Help, OfATechniqueListsItsCommands) {
  const Outcome outcome = runFathom({"deep", "--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* name :
       {"deep capture", "deep merge", "deep flatten", "deep heatmap", "deep inspect"})
    EXPECT_NE(outcome.out.find(name), std::string::npos) << name;
}

TEST(Version, IsOneLine) {
  const Outcome outcome = runFathom({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "fathom " FATHOM_VERSION "\n");
}

}  // namespace
}  // namespace fathom::commands
