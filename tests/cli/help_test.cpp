// SPDX-License-Identifier: BSD-3-Clause
// What the program says about itself.
#include "app/cli/command.h"
#include "app/cli/subcommands.h"
#include "app/engine/engine.h"
#include "tests/support/program.h"

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
  for (const Subcommand& subcommand : subcommands())
    EXPECT_NE(outcome.out.find("  " + subcommand.name + " "), std::string::npos) << subcommand.name;
  EXPECT_NE(outcome.out.find("atrium"), std::string::npos);
}

TEST(Help, OfEachCommandHasAnExampleThatIsACommandLine) {
  for (const Subcommand& subcommand : subcommands()) {
    std::vector<std::string> arguments = split(subcommand.name);
    arguments.push_back("--help");
    const Outcome outcome = runFathom(arguments);
    EXPECT_EQ(outcome.code, 0) << subcommand.name;
    EXPECT_NE(outcome.out.find(subcommand.help), std::string::npos) << subcommand.name;
    EXPECT_NE(outcome.out.find(subcommand.example), std::string::npos) << subcommand.name;
    EXPECT_EQ(subcommand.example.rfind("fathom " + subcommand.name, 0), 0u) << subcommand.example;
    EXPECT_NE(outcome.out.find("--json"), std::string::npos) << subcommand.name;
  }
}

TEST(Help, ShowsEverySettingWithItsDefault) {
  for (const TechniqueEntry& entry : techniques()) {
    const std::vector<Command>& commands = commandsOf(entry.info.name);
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [](const Command& c) { return c.takesSettings; });
    ASSERT_NE(command, commands.end()) << entry.info.name;
    const Outcome own = runFathom({entry.info.name, command->name, "--help"});
    const Outcome all = runFathom({entry.info.name, command->name, "--help-all"});
    EXPECT_EQ(all.code, 0) << all.err;
    for (const FieldRow& row : rowsOf(entry.settings())) {
      EXPECT_NE(own.out.find("--" + row.info.name), std::string::npos) << row.info.name;
      EXPECT_EQ(own.out.find(row.info.help), std::string::npos) << row.info.name;
      EXPECT_NE(all.out.find("--" + row.info.name), std::string::npos) << row.info.name;
    }
    EXPECT_NE(all.out.find(rowsOf(entry.settings())[0].info.help), std::string::npos);
  }
}

// Summaries read like "Merge deep images": no "Merges", no "What a file holds".
TEST(Help, OfEachCommandIsShortAndItsSummaryAnImperative) {
  for (const Subcommand& subcommand : subcommands()) {
    std::vector<std::string> arguments = split(subcommand.name);
    arguments.push_back("--help");
    const std::string text = runFathom(arguments).out;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60) << subcommand.name;
    const std::string verb = split(subcommand.help)[0];
    EXPECT_TRUE(verb == "Compress" || verb == "Decompress" || verb.back() != 's') << verb;
    EXPECT_TRUE(verb != "What" && verb != "The" && verb != "One") << subcommand.help;
    EXPECT_LE(split(subcommand.help).size(), 18u) << subcommand.help;
  }
}

TEST(Help, OfFlamesSpeaksOfGenomes) {
  const Outcome outcome = runFathom({"flame", "--help"});
  EXPECT_NE(outcome.out.find("Make random genomes, or mutate a genome."), std::string::npos);
  EXPECT_NE(runFathom({"flame", "palette", "--help"}).out.find("A genome, or a palette of another"),
            std::string::npos);
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
