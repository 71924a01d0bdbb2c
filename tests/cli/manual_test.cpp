// SPDX-License-Identifier: BSD-3-Clause
// The manual page and the shells' completion hold what the help holds.
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/scene/load_scene.h"
#include "tests/support/program.h"

#include <unistd.h>

namespace fathom::commands {
namespace {

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
  EXPECT_EQ(offered({"fathom", "deep", "merge", "--compression", "z"}), "zips zstd\n");
}

TEST(Completion, OfAnotherShellIsRefused) {
  EXPECT_THAT(refusalOf({"--completion", "ksh"}, 2), HasSubstr("bash, zsh or fish"));
}

}  // namespace
}  // namespace fathom::commands
