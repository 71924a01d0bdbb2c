// SPDX-License-Identifier: BSD-3-Clause
// The subcommands with their flags as plain text: what the manual page and the shells' completion
// are made from, by asking the same declarations that --help prints.
#pragma once

#include "app/cli/subcommands.h"

#include <string>
#include <vector>

namespace fathom::commands {

struct FlagText {
  std::vector<std::string> names;  // "-o", "--output"; empty: what stands without a flag
  std::string operand;             // its name when it has no flag: "IN"
  std::string type;                // "WxH"; empty: a switch
  std::string fallback, help, group;
  std::vector<std::string> values;  // of a choice: the part of `type` between bars
  bool required = false;
  bool repeats = false;  // may be given several times
};

struct SubcommandText {
  std::string name, help, example;
  std::vector<FlagText> flags;
};

/// Of every subcommand, in the order of the help. `common` ones are given once by commonFlags().
std::vector<SubcommandText> subcommandTexts();
std::vector<FlagText> commonFlags();

/// The list of commands in docs/command-line.md: a row each, with help and example, in Markdown.
std::string commandTable();

/// All of it as a manual page for man(1), in groff's language.
std::string manualPage();
/// A script for the shell. Throws UsageError unless it is bash, zsh or fish.
std::string completionFor(const std::string& shell);

}  // namespace fathom::commands
