// SPDX-License-Identifier: BSD-3-Clause
// What the program says about itself: its help, and the manual page and the completion of shells,
// which hold what the help holds.
#include "app/cli/command.h"

#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/scene/load_scene.h"
#include "tests/support/program.h"

namespace fathom::commands {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> parts;
  for (std::string part; in >> part;) parts.push_back(part);
  return parts;
}

TEST(Help, NamesEveryCommandAndScene) {
  const std::string out = outputOf({"--help"});
  for (const Subcommand& subcommand : subcommands())
    EXPECT_THAT(out, HasSubstr("  " + subcommand.name + " ")) << subcommand.name;
  EXPECT_THAT(out, HasSubstr("atrium"));
}

// Short, with an example that is a command line. Summaries read like "Merge deep images": no
// "Merges", no "What a file holds".
TEST(Help, OfEachCommandIsShortAndHasAnExample) {
  for (const Subcommand& subcommand : subcommands()) {
    std::vector<std::string> arguments = split(subcommand.name);
    arguments.push_back("--help");
    const std::string out = outputOf(arguments);
    EXPECT_LE(std::count(out.begin(), out.end(), '\n'), 60) << subcommand.name;
    EXPECT_THAT(out, HasSubstr(subcommand.help)) << subcommand.name;
    EXPECT_THAT(out, HasSubstr(subcommand.example)) << subcommand.name;
    EXPECT_EQ(subcommand.example.rfind("fathom " + subcommand.name, 0), 0u) << subcommand.example;
    EXPECT_THAT(out, HasSubstr("--json")) << subcommand.name;
    const std::string verb = split(subcommand.help)[0];
    EXPECT_TRUE(verb == "Compress" || verb == "Decompress" || verb.back() != 's') << verb;
    EXPECT_TRUE(verb != "What" && verb != "The" && verb != "One") << subcommand.help;
    EXPECT_LE(split(subcommand.help).size(), 18u) << subcommand.help;
  }
}

TEST(Help, ShowsEverySettingWithItsDefault) {
  for (const TechniqueEntry& entry : techniques()) {
    const std::vector<Command>& commands = commandsOf(entry.info.name);
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [](const Command& c) { return c.takesSettings; });
    ASSERT_NE(command, commands.end()) << entry.info.name;
    const Outcome own = runFathom({entry.info.name, command->name, "--help"});
    const std::string out = outputOf({entry.info.name, command->name, "--help-all"});
    for (const FieldRow& row : rowsOf(entry.settings())) {
      EXPECT_THAT(own.out, HasSubstr("--" + row.info.name)) << row.info.name;
      EXPECT_THAT(own.out, Not(HasSubstr(row.info.help))) << row.info.name;
      EXPECT_THAT(out, HasSubstr("--" + row.info.name)) << row.info.name;
    }
    EXPECT_THAT(out, HasSubstr(rowsOf(entry.settings())[0].info.help));
  }
}

TEST(Help, OfFlamesSpeaksOfGenomes) {
  const Outcome outcome = runFathom({"flame", "--help"});
  EXPECT_THAT(outcome.out, HasSubstr("Make random genomes, or mutate a genome."));
  EXPECT_THAT(runFathom({"flame", "palette", "--help"}).out,
              HasSubstr("A genome, or a palette of another"));
}

TEST(Help, OfATechniqueListsItsCommands) {
  const std::string out = outputOf({"deep", "--help"});
  for (const char* name :
       {"deep capture", "deep merge", "deep flatten", "deep heatmap", "deep inspect"})
    EXPECT_THAT(out, HasSubstr(name));
}

TEST(Version, IsOneLine) { EXPECT_EQ(outputOf({"--version"}), "fathom " FATHOM_VERSION "\n"); }

/// As groff is told to print it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST(Manual, HoldsEveryCommandWithItsExampleAndFlags) {
  const std::string out = outputOf({"--man"});
  EXPECT_EQ(out.rfind(".TH FATHOM 1", 0), 0u);
  for (const SubcommandText& subcommand : subcommandTexts()) {
    EXPECT_THAT(out, HasSubstr(".SS fathom " + escaped(subcommand.name) + "\n")) << subcommand.name;
    EXPECT_THAT(out, HasSubstr(escaped(subcommand.example))) << subcommand.example;
    for (const FlagText& flag : subcommand.flags)
      for (const std::string& name : flag.names)
        EXPECT_THAT(out, HasSubstr("\\fB" + escaped(name) + "\\fR")) << name;
  }
}

TEST(Manual, HoldsScenesAndExitCodes) {
  const std::string page = manualPage();
  for (const SceneInfo& scene : builtInScenes())
    EXPECT_THAT(page, HasSubstr("\\fB" + escaped(scene.name) + "\\fR")) << scene.name;
  for (const ExitCodeText& code : exitCodes())
    EXPECT_THAT(page, HasSubstr(".B " + std::to_string(code.code) + "\n")) << code.code;
}

TEST(Manual, TellsTheSettingsOfATechniqueOnce) {
  const std::string page = manualPage();
  const std::string layout = "\\fB\\-\\-layout\\fR";
  const std::size_t first = page.find(layout);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find(layout, first + 1), std::string::npos);
}

/// What bash offers in place of the last word, in a folder with a file.
std::string offered(const std::vector<std::string>& words) {
  const TempFolder folder;
  folder.write("atlas.exr", "");
  std::string line = "source " + folder.write("fathom", completionFor("bash")).string();
  line += fmt::format(
      "; cd '{}'; COMP_WORDS=(fathom '{}'); COMP_CWORD={}; _fathom '{}'; "
      "echo ${{COMPREPLY[@]}}",
      folder.path().string(), fmt::join(words, "' '"), words.size(), FATHOM_PROGRAM);
  const Outcome outcome = test::runProgram({"bash", "-c", line});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

TEST(Completion, OffersWordsFlagsAndValues) {
  EXPECT_EQ(offered({"comp"}), "compare\n");
  EXPECT_EQ(offered({"at"}), "atrium atlas.exr\n");
  EXPECT_EQ(offered({"deep", "me"}), "merge\n");
  EXPECT_EQ(offered({"deep", "at"}), "\n");
  EXPECT_EQ(offered({"deep", "merge", "at"}), "atrium atlas.exr\n");
  EXPECT_EQ(offered({"deep", "merge", "a.exr", "--compr"}), "--compression\n");
  EXPECT_EQ(offered({"deep", "merge", "--compression", "z"}), "zips zstd\n");
  EXPECT_EQ(offered({"deep", "merge", "--part", "at"}), "atlas.exr\n");
  EXPECT_EQ(offered({"bench", "deep.comp"}), "deep.composite\n");
}

TEST(Completion, OfZshAndFishAsksTheProgramToo) {
  for (const char* shell : {"zsh", "fish"})
    EXPECT_THAT(completionFor(shell), HasSubstr(" --candidates ")) << shell;
  EXPECT_THAT(outputOf({"--candidates", "flame", "ren"}), HasSubstr("render\tRender"));
}

TEST(Completion, OfAnotherShellIsRefused) {
  EXPECT_THAT(refusalOf({"--completion", "ksh"}, 2), HasSubstr("bash, zsh or fish"));
}

}  // namespace
}  // namespace fathom::commands
