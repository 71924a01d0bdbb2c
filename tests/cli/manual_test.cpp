// SPDX-License-Identifier: BSD-3-Clause
// The manual page and the shells' completion hold what the help holds.
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/scene/load_scene.h"
#include "tests/support/program.h"

#include <unistd.h>

namespace fathom::commands {
namespace {

using test::Outcome;
using test::runFathom;

/// As groff is told to print it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST(Manual, HoldsEveryCommandWithItsExampleAndFlags) {
  const Outcome outcome = runFathom({"--man"});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.rfind(".TH FATHOM 1", 0), 0u);
  for (const SubcommandText& subcommand : subcommandTexts()) {
    EXPECT_NE(outcome.out.find(".SS fathom " + escaped(subcommand.name) + "\n"), std::string::npos)
        << subcommand.name;
    EXPECT_NE(outcome.out.find(escaped(subcommand.example)), std::string::npos)
        << subcommand.example;
    for (const FlagText& flag : subcommand.flags)
      for (const std::string& name : flag.names)
        EXPECT_NE(outcome.out.find("\\fB" + escaped(name) + "\\fR"), std::string::npos) << name;
  }
}

TEST(Manual, HoldsScenesAndExitCodes) {
  const std::string page = manualPage();
  for (const SceneInfo& scene : builtInScenes())
    EXPECT_NE(page.find("\\fB" + escaped(scene.name) + "\\fR"), std::string::npos) << scene.name;
  for (const ExitCodeText& code : exitCodes())
    EXPECT_NE(page.find(".B " + std::to_string(code.code) + "\n"), std::string::npos) << code.code;
}

TEST(Manual, TellsTheSettingsOfATechniqueOnce) {
  const std::string page = manualPage();
  const std::string layout = "\\fB\\-\\-layout\\fR";
  const std::size_t first = page.find(layout);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find(layout, first + 1), std::string::npos);
}

/// What bash offers after the words; the last one is being typed.
std::string offered(const std::vector<std::string>& words) {
  const std::filesystem::path script =
      std::filesystem::temp_directory_path() / ("fathom-completion-" + std::to_string(getpid()));
  std::ofstream(script) << completionFor("bash");
  std::string line = "source " + script.string() + "; COMP_WORDS=(";
  for (const std::string& subcommand : words) line += "'" + subcommand + "' ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; _fathom; echo ${COMPREPLY[@]}";
  const Outcome outcome = test::runProgram({"bash", "-c", line});
  std::filesystem::remove(script);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

TEST(Completion, OffersWordsFlagsAndValues) {
  EXPECT_EQ(offered({"fathom", "comp"}), "compare\n");
  EXPECT_EQ(offered({"fathom", "deep", "me"}), "merge\n");
  EXPECT_EQ(offered({"fathom", "deep", "merge", "--compr"}), "--compression\n");
  EXPECT_EQ(offered({"fathom", "deep", "merge", "--compression", "z"}), "zips\n");
}

TEST(Completion, OfAnotherShellIsRefused) {
  const Outcome outcome = runFathom({"--completion", "ksh"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("bash, zsh or fish"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace fathom::commands
