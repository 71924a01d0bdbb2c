// SPDX-License-Identifier: BSD-3-Clause
// The subcommands as a table: one file for each of the program's own, and those of the techniques
// from their command tables.
#pragma once

#include "app/cli/common_options.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::commands {

/// Runs the subcommand once its flags are parsed; returns the exit code, throws Error and its kin.
using Action = std::function<int()>;

struct Subcommand {
  std::string name;     // "compare", "deep merge"
  std::string help;     // one sentence
  std::string example;  // a whole command line
  /// Declares the subcommand's own flags. The common ones are declared already.
  std::function<Action(CLI::App& app, const CommonOptions& common)> declare;
};

Action declareView(CLI::App& app, const CommonOptions& common);
Action declareInfo(CLI::App& app, const CommonOptions& common);
Action declareCompare(CLI::App& app, const CommonOptions& common);
Action declareBench(CLI::App& app, const CommonOptions& common);
Action declareReport(CLI::App& app, const CommonOptions& common);
Action declareTune(CLI::App& app, const CommonOptions& common);

/// "deep capture", "deep merge", ... of every technique in the registry.
std::vector<Subcommand> techniqueSubcommands();

/// All of them, in the order of the help.
const std::vector<Subcommand>& subcommands();

struct ExitCodeText {
  int code;
  std::string meaning;
};
/// Every code that the program ends with.
const std::vector<ExitCodeText>& exitCodes();

}  // namespace fathom::commands
